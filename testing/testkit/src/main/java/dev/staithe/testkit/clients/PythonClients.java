package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Checkout;
import dev.staithe.peers.process.ManagedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A Python with the clients of the field that Debian has not, at pinned versions, as {@code
 * deploy/python-clients} makes it once for a checkout. Where they cannot be fetched there is none.
 *
 * @param program the interpreter; empty where there is none
 * @param obstacle why there is none; else empty
 */
public record PythonClients(String program, String obstacle) {
  /** The script gives up by itself before. */
  private static final Duration LONGEST = Duration.ofMinutes(20);

  private static final class Made {
    static final PythonClients ONCE = make();
  }

  /** The one of this checkout, made at the first call. */
  public static PythonClients get() {
    return Made.ONCE;
  }

  private static PythonClients make() {
    try {
      Path log = Files.createTempFile("python-clients", ".log");
      try (ManagedProcess process =
          ManagedProcess.start(
              List.of(Checkout.root().resolve("deploy/python-clients").toString()),
              Map.of(),
              log)) {
        boolean works = process.awaitEnd(LONGEST) == 0;
        String said = process.output().strip();
        return new PythonClients(works ? said : "", works ? "" : said);
      } finally {
        Files.delete(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
