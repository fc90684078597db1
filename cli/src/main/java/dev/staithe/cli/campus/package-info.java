/** Logins by a campus: with a browser of our own, and by the enhanced client profile. */
@NullMarked
package dev.staithe.cli.campus;

import org.jspecify.annotations.NullMarked;
