/**
 * The services behind: how they are spoken to, what they are told of callers, and the memory for
 * it.
 */
@NullMarked
package dev.staithe.gateway.backend;

import org.jspecify.annotations.NullMarked;
