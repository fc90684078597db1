package dev.staithe.storage.files;

import java.time.Instant;

/**
 * What the store knows of a file or collection without opening it.
 *
 * @param path where it is, relative to the area
 * @param collection whether it is a collection
 * @param size bytes; 0 for a collection
 * @param modified last modification
 * @param created creation, or the last modification where the file system keeps none
 * @param etag strong opaque entity tag with its quotes (RFC 9110 section 8.8.3): a hash of inode,
 *     size and modification time in nanoseconds
 */
public record FileEntry(
    StoragePath path,
    boolean collection,
    long size,
    Instant modified,
    Instant created,
    String etag) {}
