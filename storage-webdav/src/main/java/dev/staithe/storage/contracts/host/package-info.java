/** What this host says of itself under its signature, and what it wants of others and of people. */
@NullMarked
package dev.staithe.storage.contracts.host;

import org.jspecify.annotations.NullMarked;
