/** What is measured and how: experiments, interleaved rounds, samples, targets. */
@NullMarked
package dev.staithe.perf.study;

import org.jspecify.annotations.NullMarked;
