/** Policies in force, and the WSDLs that tell of them. */
@NullMarked
package dev.staithe.gateway.publish;

import org.jspecify.annotations.NullMarked;
