/**
 * Tokens that this server makes itself: macaroons and JWTs for whoever it has identified, and the
 * door that takes them back.
 */
@NullMarked
package dev.staithe.storage.tokens;

import org.jspecify.annotations.NullMarked;
