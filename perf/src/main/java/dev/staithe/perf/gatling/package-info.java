/** Gatling's simulations by one command: which there are, and servers of ours for them. */
@NullMarked
package dev.staithe.perf.gatling;

import org.jspecify.annotations.NullMarked;
