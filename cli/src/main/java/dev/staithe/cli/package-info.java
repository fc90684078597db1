/** The {@code staithe} command: sessions, tokens and administration by hand and from scripts. */
@NullMarked
package dev.staithe.cli;

import org.jspecify.annotations.NullMarked;
