package dev.staithe.perf.cxf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs one relay until it is ended; the file {@code ready} in its folder says that it answers. */
final class RelayApplication {
  /** Held, because a logger that nobody holds forgets its level. */
  private static final Logger LOG = Logger.getLogger("org.apache.cxf");

  private RelayApplication() {}

  public static void main(String[] arguments) throws Exception {
    RelaySettings settings;
    try {
      settings = RelaySettings.of(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("cxf-relay: " + e.getMessage());
      System.exit(2);
      return;
    }
    // CXF writes a stack trace for each fault, which would be measured.
    LOG.setLevel(Boolean.getBoolean("cxf-relay.log") ? Level.INFO : Level.SEVERE);
    Relay relay;
    try {
      relay = Relay.start(settings);
      relay.answerOnce();
    } catch (Exception e) {
      System.err.println("cxf-relay: it does not start: " + e.getMessage());
      System.exit(1);
      return;
    }
    Path ready = settings.folder().resolve("ready");
    Files.writeString(
        ready, "http %d\nhttps %d\n".formatted(relay.http().getPort(), relay.https().getPort()));
    relay.await();
  }
}
