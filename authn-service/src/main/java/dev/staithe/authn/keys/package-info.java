/** Keys by which tokens are signed: made, sealed, rotated, shared by nodes. */
@NullMarked
package dev.staithe.authn.keys;

import org.jspecify.annotations.NullMarked;
