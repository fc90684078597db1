/** Session services that are measured beside each other. */
@NullMarked
package dev.staithe.perf.tokens;

import org.jspecify.annotations.NullMarked;
