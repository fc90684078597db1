/** The session-token service: starts, reads its settings and puts the parts together. */
@NullMarked
package dev.staithe.authn;

import org.jspecify.annotations.NullMarked;
