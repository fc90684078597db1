/** What was measured: samples, their distributions, what they promise, and where it is kept. */
@NullMarked
package dev.staithe.perf.result;

import org.jspecify.annotations.NullMarked;
