/** Calls of SOAP services, and the evidence of them. */
@NullMarked
package dev.staithe.cli.soap;

import org.jspecify.annotations.NullMarked;
