/**
 * Who is signed in with a browser, and what it is still to be asked before the protocol goes on.
 */
@NullMarked
package dev.staithe.authn.browser;

import org.jspecify.annotations.NullMarked;
