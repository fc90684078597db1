/**
 * The engine that streams: messages of X.509 and SecureConversation, judged and made from their
 * bytes, without a tree.
 */
@NullMarked
package dev.staithe.wss.stream;

import org.jspecify.annotations.NullMarked;
