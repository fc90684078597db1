/** What all commands share: the profile, the terminal, the services and their answers. */
@NullMarked
package dev.staithe.cli.program;

import org.jspecify.annotations.NullMarked;
