/** How it is measured: contestants in turn, rounds, warming, the processor time of each side. */
@NullMarked
package dev.staithe.perf.harness;

import org.jspecify.annotations.NullMarked;
