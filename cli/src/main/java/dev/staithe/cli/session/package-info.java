/** Logging in and out, and what one has then: sessions, tokens and codes. */
@NullMarked
package dev.staithe.cli.session;

import org.jspecify.annotations.NullMarked;
