/**
 * HTTP/1.1 as a client speaks it (RFC 9112): the one parser of heads and bodies, a connection in
 * clear and by TLS, buffers and deadlines. Whom to connect to, redirects, pools and paces are their
 * owners' business.
 */
@NullMarked
package dev.staithe.http;

import org.jspecify.annotations.NullMarked;
