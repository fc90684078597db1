/** The storage element. */
@NullMarked
package dev.staithe.storage;

import org.jspecify.annotations.NullMarked;
