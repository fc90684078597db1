/** Measures Staithe's services as black boxes, beside their peers: the command and its parts. */
@NullMarked
package dev.staithe.perf;

import org.jspecify.annotations.NullMarked;
