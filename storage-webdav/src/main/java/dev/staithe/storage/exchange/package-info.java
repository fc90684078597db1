/**
 * A request for something in an area and its answer: who asks, which area, on which conditions, and
 * how bytes go out and come in.
 */
@NullMarked
package dev.staithe.storage.exchange;

import org.jspecify.annotations.NullMarked;
