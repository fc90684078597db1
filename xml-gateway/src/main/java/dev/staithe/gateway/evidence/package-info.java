/** Signed messages, kept so that anybody can verify them years later. */
@NullMarked
package dev.staithe.gateway.evidence;

import org.jspecify.annotations.NullMarked;
