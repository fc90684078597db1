/** Clients that others wrote, against a whole gateway. */
@NullMarked
package dev.staithe.gateway.interop;

import org.jspecify.annotations.NullMarked;
