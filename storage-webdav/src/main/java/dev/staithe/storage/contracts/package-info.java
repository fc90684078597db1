/**
 * Transfers under contract: a host's properties are compared before any byte moves, and both sides
 * keep what each of them signed. Below third-party copy, which asks; above files and rights.
 */
@NullMarked
package dev.staithe.storage.contracts;

import org.jspecify.annotations.NullMarked;
