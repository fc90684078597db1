/** Certificates: reading PEM, issuing, judging. */
@NullMarked
package dev.staithe.pki;

import org.jspecify.annotations.NullMarked;
