/** The servers that are measured, each a unit that starts and stops, and what they need to run. */
@NullMarked
package dev.staithe.perf.peers;

import org.jspecify.annotations.NullMarked;
