/** Certificates and proxies of one's own, and their files. */
@NullMarked
package dev.staithe.cli.certificate;

import org.jspecify.annotations.NullMarked;
