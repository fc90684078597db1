package dev.staithe.gateway.interop;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.clients.GsoapProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A client made with gSOAP and its wsse plugin, which is C and OpenSSL: it shares no line with the
 * gateway. Compiled here from {@code tide.c}.
 *
 * @param program what was compiled
 */
record GsoapClient(Path program) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * What came of a call.
   *
   * @param code 0 where the answer was protected as demanded
   * @param output the answer, or the fault
   */
  record Outcome(int code, String output) {}

  /**
   * Compiles one.
   *
   * @param soap {@code 1.1} or {@code 1.2}
   */
  static GsoapClient compile(Path folder, String soap) throws IOException {
    for (String source : List.of("tide.h", "tide.c")) {
      try (InputStream in = GsoapClient.class.getResourceAsStream(source)) {
        if (in == null) {
          throw new IOException(source + " is not among the resources");
        }
        Files.copy(in, folder.resolve(source));
      }
    }
    return new GsoapClient(
        GsoapProgram.compile(
            folder.resolve("tide.h"),
            folder.resolve("tide.c"),
            soap.equals("1.2"),
            // The plugin's padding of keys is not what it says; see tide.c.
            List.of("-DEVP_PKEY_encrypt_old=oaep_encrypt", "-DEVP_OpenInit=oaep_open")));
  }

  /** Asks once. */
  Outcome ask(URI url, InteropSite site, String suite, String port) {
    try {
      Path log = Files.createTempFile(program.getParent(), "call", ".log");
      try (ManagedProcess process =
          ManagedProcess.start(
              List.of(
                  program.toString(),
                  url.toString(),
                  site.caller().certificate().toString(),
                  site.caller().key().toString(),
                  site.messages().certificate().toString(),
                  site.people().certificateFile().toString(),
                  suite,
                  port),
              Map.of(),
              log)) {
        return new Outcome(process.awaitEnd(PATIENCE), process.output());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
