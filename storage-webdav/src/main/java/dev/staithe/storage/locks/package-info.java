/** Locks of WebDAV (RFC 4918, sections 6 and 7), and who may write in spite of them. */
@NullMarked
package dev.staithe.storage.locks;

import org.jspecify.annotations.NullMarked;
