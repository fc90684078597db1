/** Delegating to a service, and what was delegated. */
@NullMarked
package dev.staithe.cli.delegation;

import org.jspecify.annotations.NullMarked;
