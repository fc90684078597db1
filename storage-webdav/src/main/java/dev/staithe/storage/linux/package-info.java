/**
 * The calls of Linux that Java does not make, or makes at several times their cost. Knows nothing
 * of areas.
 */
@NullMarked
package dev.staithe.storage.linux;

import org.jspecify.annotations.NullMarked;
