/**
 * Object stores by the S3 protocol as a client speaks it: signatures of version 4, one bucket of
 * one engine, and what that engine really keeps of what the protocol promises. Knows nothing of
 * paths, callers or areas.
 */
@NullMarked
package dev.staithe.s3;

import org.jspecify.annotations.NullMarked;
