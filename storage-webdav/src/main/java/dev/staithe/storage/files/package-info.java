/** Storage areas on a file system: paths, staging, checksums, properties. */
@NullMarked
package dev.staithe.storage.files;

import org.jspecify.annotations.NullMarked;
