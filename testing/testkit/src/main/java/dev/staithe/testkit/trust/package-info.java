/** Throw-away authorities, issuers, keys and tokens, good and wrong ones. */
@NullMarked
package dev.staithe.testkit.trust;

import org.jspecify.annotations.NullMarked;
