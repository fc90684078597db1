/**
 * Third-party copy over HTTP (HTTP-TPC): this server is the active party of a {@code COPY}, which
 * pulls a file from a remote server or pushes one to it, and reports by performance markers.
 *
 * <p>{@link dev.staithe.storage.tpc.ThirdPartyCopy} answers the request; {@link
 * dev.staithe.storage.tpc.ActiveCopies} decides when it runs; {@code Pull} and {@code Push} move
 * the bytes.
 */
@NullMarked
package dev.staithe.storage.tpc;

import org.jspecify.annotations.NullMarked;
