/** Contexts and replays that several gateways share. */
@NullMarked
package dev.staithe.gateway.store;

import org.jspecify.annotations.NullMarked;
