/** Choice of TLS provider, reloading key material, record batching. */
@NullMarked
package dev.staithe.tls;

import org.jspecify.annotations.NullMarked;
