/**
 * The lean client as the measured servers see it: what it is told to do, its connections, and what
 * it tells of them.
 */
@NullMarked
package dev.staithe.perf.lean;

import org.jspecify.annotations.NullMarked;
