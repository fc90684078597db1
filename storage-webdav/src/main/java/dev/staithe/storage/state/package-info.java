/** Small files of the storage element's own and of its operator's, beside or outside all areas. */
@NullMarked
package dev.staithe.storage.state;

import org.jspecify.annotations.NullMarked;
