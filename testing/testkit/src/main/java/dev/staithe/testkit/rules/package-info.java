/** What holds in every module: its structure, its settings, how it refuses to start. */
@NullMarked
package dev.staithe.testkit.rules;

import org.jspecify.annotations.NullMarked;
