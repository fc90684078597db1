package dev.staithe.storage.issuers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How it stands with an issuer's keys, for health.
 *
 * @param issuer the issuer
 * @param keys how many of its keys can be used
 * @param usable whether its tokens can be verified now
 * @param lastSuccess when its keys were fetched last, or null
 * @param lastError one line that says why the newest fetch failed, or null where it did not
 */
public record IssuerStatus(
    String issuer,
    int keys,
    boolean usable,
    @Nullable Instant lastSuccess,
    @Nullable String lastError) {}
