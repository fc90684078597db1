/** WebDAV on Jetty's core API (RFC 4918). */
@NullMarked
package dev.staithe.storage.dav;

import org.jspecify.annotations.NullMarked;
