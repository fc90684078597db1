/**
 * What the engines of WS-Security have in common: messages that come and go, and their verdicts.
 */
@NullMarked
package dev.staithe.wss;

import org.jspecify.annotations.NullMarked;
