/** The study of the storage element. */
@NullMarked
package dev.staithe.perf.storage;

import org.jspecify.annotations.NullMarked;
