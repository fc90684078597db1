package dev.staithe.wss.trust;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * From when to when a context is wanted, or lives.
 *
 * @param created null where it is not said
 * @param expires null where it is not said
 */
public record Lifetime(@Nullable Instant created, @Nullable Instant expires) {}
