/** What tokens say, of whom, to whom; the last word on it is said here, whatever way one came. */
@NullMarked
package dev.staithe.authn.tokens;

import org.jspecify.annotations.NullMarked;
