/** Engines that read a message once, without a tree. */
@NullMarked
package dev.staithe.wss.stream;

import org.jspecify.annotations.NullMarked;
