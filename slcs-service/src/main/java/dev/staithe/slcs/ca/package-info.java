/** The certificate authority: keys, serials, what was issued and revoked, CRL, OCSP, audit. */
@NullMarked
package dev.staithe.slcs.ca;

import org.jspecify.annotations.NullMarked;
