/** Who asks, and what they may do. */
@NullMarked
package dev.staithe.storage.authz;

import org.jspecify.annotations.NullMarked;
