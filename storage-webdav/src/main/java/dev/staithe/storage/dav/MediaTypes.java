package dev.staithe.storage.dav;

import java.net.URLConnection;
import org.jspecify.annotations.Nullable;

/** Media types by name, from the table that comes with the Java platform. */
final class MediaTypes {
  private MediaTypes() {}

  static String of(String name) {
    @Nullable String guess = URLConnection.guessContentTypeFromName(name);
    return guess == null ? "application/octet-stream" : guess;
  }
}
