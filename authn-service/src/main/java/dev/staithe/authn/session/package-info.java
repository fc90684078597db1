/**
 * Sessions and their tokens: issued once, good on every node until ended. Knows no other package.
 */
@NullMarked
package dev.staithe.authn.session;

import org.jspecify.annotations.NullMarked;
