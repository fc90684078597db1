/** A plain SOAP service to try the gateway with. */
@NullMarked
package dev.staithe.gateway.echo;

import org.jspecify.annotations.NullMarked;
