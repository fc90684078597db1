package dev.staithe.wss.trust;

import org.jspecify.annotations.Nullable;

/**
 * How a message names a context.
 *
 * @param identifier an absolute URI; one that begins with {@code #} stands for the token in the
 *     security header of the same message
 * @param instance of its key; null for the first
 */
public record ContextName(String identifier, @Nullable String instance) {
  /** Whether it is the token in the header that is named, whatever its identifier. */
  public boolean local() {
    return identifier.startsWith("#");
  }
}
