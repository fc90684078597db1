/**
 * Storage areas in a bucket of an object store: one object for each file, under the key that its
 * path spells, so that any other tool of object stores reads them. Knows of S3 what {@code lib/s3}
 * offers, and nothing of protocols or callers.
 */
@NullMarked
package dev.staithe.storage.objects;

import org.jspecify.annotations.NullMarked;
