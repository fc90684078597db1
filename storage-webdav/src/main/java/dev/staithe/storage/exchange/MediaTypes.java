package dev.staithe.storage.exchange;

import java.net.URLConnection;
import org.jspecify.annotations.Nullable;

/** Media types by name, from the table that comes with the Java platform. */
public final class MediaTypes {
  private MediaTypes() {}

  /** By how a name ends; of others that of bytes. */
  public static String of(String name) {
    @Nullable String guess = URLConnection.guessContentTypeFromName(name);
    return guess == null ? "application/octet-stream" : guess;
  }
}
