/** Whose tokens count: trusted issuers, their keys, and what a token of theirs must say. */
@NullMarked
package dev.staithe.storage.issuers;

import org.jspecify.annotations.NullMarked;
