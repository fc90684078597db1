/** Models that are fitted to samples. */
@NullMarked
package dev.staithe.perf.fit;

import org.jspecify.annotations.NullMarked;
