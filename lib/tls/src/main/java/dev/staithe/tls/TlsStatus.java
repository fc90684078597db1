package dev.staithe.tls;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of key material or trust anchors.
 *
 * @param loadedAt when the material in use was read
 * @param notAfter when the first certificate of it ends, or null where none is left that still runs
 * @param lastError one line about the newest files, which could not be used so that the older
 *     material stays in use, or null where the newest files are in use
 */
public record TlsStatus(Instant loadedAt, @Nullable Instant notAfter, @Nullable String lastError) {}
