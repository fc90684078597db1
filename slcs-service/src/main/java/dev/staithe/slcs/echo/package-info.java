/** The service of the paper: it says again what it was told. */
@NullMarked
package dev.staithe.slcs.echo;

import org.jspecify.annotations.NullMarked;
