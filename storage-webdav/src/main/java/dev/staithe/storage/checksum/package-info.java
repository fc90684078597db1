/** The checksums of files, and how they are computed while bytes come, in whatever order. */
@NullMarked
package dev.staithe.storage.checksum;

import org.jspecify.annotations.NullMarked;
