/** Keys that are made before they are asked for. */
@NullMarked
package dev.staithe.delegation.key;

import org.jspecify.annotations.NullMarked;
