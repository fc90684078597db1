/**
 * What a storage area is, whatever keeps it: the one port to a store, {@link
 * dev.staithe.storage.files.FileStore}, and the paths and refusals that all stores and all who use
 * them share.
 */
@NullMarked
package dev.staithe.storage.files;

import org.jspecify.annotations.NullMarked;
