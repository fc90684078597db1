/** The contracts that this host has made, each step of which is on the device before the next. */
@NullMarked
package dev.staithe.storage.contracts.journal;

import org.jspecify.annotations.NullMarked;
