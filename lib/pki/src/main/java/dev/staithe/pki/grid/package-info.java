/** Chains of clients: proxies (RFC 3820), VOMS attributes, signing policies, delegation. */
@NullMarked
package dev.staithe.pki.grid;

import org.jspecify.annotations.NullMarked;
