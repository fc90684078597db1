/** Processor time: whose it is, who may have how much of it, and where it goes. */
@NullMarked
package dev.staithe.perf.harness.cpu;

import org.jspecify.annotations.NullMarked;
