/** Which engine judges a message, or both, and on which threads. */
@NullMarked
package dev.staithe.gateway.engine;

import org.jspecify.annotations.NullMarked;
