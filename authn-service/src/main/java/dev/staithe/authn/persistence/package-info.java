/**
 * What a store keeps of sessions and their ends, and what must have happened before a write of it
 * is answered. Knows no other package; stores that outlive a node are in {@code store}.
 */
@NullMarked
package dev.staithe.authn.persistence;

import org.jspecify.annotations.NullMarked;
