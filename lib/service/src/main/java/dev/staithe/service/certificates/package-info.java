/** Our end of TLS, whom we trust, and the certificates of clients; whether they are good. */
@NullMarked
package dev.staithe.service.certificates;

import org.jspecify.annotations.NullMarked;
