/** The handler that any endpoint is protected with. */
@NullMarked
package dev.staithe.slcs.protect;

import org.jspecify.annotations.NullMarked;
