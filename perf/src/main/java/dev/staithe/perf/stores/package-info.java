/** Storage elements and file servers that are measured beside each other. */
@NullMarked
package dev.staithe.perf.stores;

import org.jspecify.annotations.NullMarked;
