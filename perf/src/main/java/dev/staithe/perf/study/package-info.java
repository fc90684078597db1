/** The studies of the other services, and the run of any of them. */
@NullMarked
package dev.staithe.perf.study;

import org.jspecify.annotations.NullMarked;
