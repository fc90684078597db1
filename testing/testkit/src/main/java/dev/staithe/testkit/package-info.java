/** Throw-away authorities, issuers and real peers for tests. */
@NullMarked
package dev.staithe.testkit;

import org.jspecify.annotations.NullMarked;
