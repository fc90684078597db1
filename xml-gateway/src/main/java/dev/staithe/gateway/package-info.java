/** Starts the gateway and puts its parts together. */
@NullMarked
package dev.staithe.gateway;

import org.jspecify.annotations.NullMarked;
