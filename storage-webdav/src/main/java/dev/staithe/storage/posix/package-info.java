/**
 * Storage areas on a file system of this machine, or of several: each path held while it is used,
 * each file staged and renamed, what is kept beside it in extended attributes. Only what wires the
 * service knows this package.
 */
@NullMarked
package dev.staithe.storage.posix;

import org.jspecify.annotations.NullMarked;
