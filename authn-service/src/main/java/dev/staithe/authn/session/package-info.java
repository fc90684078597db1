/** Sessions and their tokens: issued once, good on every node until ended. */
@NullMarked
package dev.staithe.authn.session;

import org.jspecify.annotations.NullMarked;
