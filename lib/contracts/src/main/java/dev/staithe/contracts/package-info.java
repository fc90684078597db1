/**
 * What two hosts that move a file agree on, and how it is proved later to somebody who trusts
 * neither: signed HTTP messages, host properties, statements, and the log that holds their hashes.
 */
@NullMarked
package dev.staithe.contracts;

import org.jspecify.annotations.NullMarked;
