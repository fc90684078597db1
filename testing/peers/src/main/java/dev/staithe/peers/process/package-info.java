/** Processes of others, their folders and file systems, from their start to their end. */
@NullMarked
package dev.staithe.peers.process;

import org.jspecify.annotations.NullMarked;
