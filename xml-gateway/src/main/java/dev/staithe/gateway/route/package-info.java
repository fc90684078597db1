/** The way of a message: endpoint, engine, caller, back end, and back. */
@NullMarked
package dev.staithe.gateway.route;

import org.jspecify.annotations.NullMarked;
