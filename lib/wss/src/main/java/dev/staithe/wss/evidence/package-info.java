/**
 * Signed messages with all that is needed to verify them years later, without the message's
 * service.
 */
@NullMarked
package dev.staithe.wss.evidence;

import org.jspecify.annotations.NullMarked;
