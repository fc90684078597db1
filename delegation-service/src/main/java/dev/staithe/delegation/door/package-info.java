/**
 * The ways in: what is on the wire becomes a question to the delegations, and their answer that.
 */
@NullMarked
package dev.staithe.delegation.door;

import org.jspecify.annotations.NullMarked;
