/**
 * The other server of a copy: its address and whether it may be asked, its connections, what goes
 * wrong with it, and how far the copy is.
 *
 * <p>{@link dev.staithe.storage.remote.RemoteSession} is a lean blocking HTTP/1.1 client for
 * virtual threads, whose data path knows direct buffers only.
 */
@NullMarked
package dev.staithe.storage.remote;

import org.jspecify.annotations.NullMarked;
