/**
 * Keys and what is done with them, by the fastest library at hand. Knows nothing of certificates.
 */
@NullMarked
package dev.staithe.pki.keys;

import org.jspecify.annotations.NullMarked;
