package dev.staithe.service.start;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What a service says when it has started, after where it listens; a bean of the service. */
public interface StartLines {
  /** By what everybody knows the service; null where it has no one address. */
  default @Nullable URI url() {
    return null;
  }

  /**
   * Writes to the log what an operator wants to know and may want to change, a line each.
   *
   * @param development whether this is the development default
   */
  void log(boolean development);

  /**
   * What is printed in the development default: what was made, and how to try it.
   *
   * @param folder where it was made
   * @param port that the server listens on
   */
  default String development(String folder, int port) {
    return "";
  }
}
