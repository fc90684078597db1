package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of HTTP/2 that say and take nothing more, or hardly anything, against a server of little
 * patience.
 */
class SilentStreamTests {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_HEADERS = 4;
  private static final int END_STREAM = 1;

  @TempDir Path folder;
  private RunningStorage storage;

  @BeforeEach
  void start() {
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("storage"),
            Map.of(
                "staithe.http2", true,
                "staithe.limits.idle-timeout", "1s",
                "staithe.copy.marker-period", "3s"));
  }

  @AfterEach
  void stop() {
    storage.close();
  }

  /** The idle time is over once before that: while it waits for the second marker. */
  @Test
  void clientThatTakesNoMoreIsEndedHoweverLongItHadToWait() throws IOException {
    try (HeldSource source = new HeldSource(storage.authority(), 1 << 20, true);
        SSLSocket socket = connect(storage)) {
      // Room for the first marker and not for the second.
      request(
          socket,
          250,
          END_STREAM,
          Map.of(
              ":method", "COPY",
              ":path", "/data/never-read",
              "authorization", "Bearer " + storage.token(),
              "source", source.url("/file"),
              "requirechecksumverification", "false"));
      assertEnded(socket);
      Eventually.holds(
          "no copy runs",
          () ->
              storage.curl("/.staithe/metrics").run().text().contains("staithe_copies_running 0"));
    }
  }

  @Test
  void silentClientThatTakesNotEvenTheRefusalIsEnded() throws IOException {
    try (SSLSocket socket = connect(storage)) {
      request(
          socket,
          0,
          0,
          Map.of(":method", "PUT", ":path", "/open/never-sent", "content-length", "100"));
      assertEnded(socket);
    }
  }

  /** A byte at a time: neither stream nor connection ever falls silent. */
  @Test
  void clientThatOpensItsWindowInTricklesIsEnded() throws Exception {
    try (RunningStorage demanding =
            RunningStorage.beside(
                RunningStorage.shared(),
                folder.resolve("demanding"),
                Map.of(
                    "staithe.http2", true,
                    "staithe.limits.min-download-rate", "1MB",
                    "staithe.limits.rate-window", "1s"));
        SSLSocket socket = connect(demanding)) {
      Files.write(demanding.open().resolve("large"), new byte[32 << 20]);
      request(socket, 1, END_STREAM, Map.of(":method", "GET", ":path", "/open/large"));
      // The server is of this Java machine.
      Path large = demanding.open().resolve("large").toRealPath();
      Eventually.holds("the answer has begun", () -> !nobodyHolds(large));
      assertThat(endedAtLast(socket, WINDOW_UPDATE, new byte[] {0, 0, 0, 1})).isTrue();
      assertThat(demanding.curl("/.staithe/metrics").run().text())
          .contains("staithe_connections_slow_total{part=\"download\"} 1");
      Eventually.holds("the file of the answer is let go", () -> nobodyHolds(large));
    }
  }

  private static boolean nobodyHolds(Path file) {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.noneMatch(
          each -> {
            try {
              return Files.readSymbolicLink(each).equals(file);
            } catch (IOException closed) {
              return false; // Between the listing and the look.
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void clientThatSendsContentInTricklesIsEnded() throws Exception {
    try (RunningStorage demanding =
            RunningStorage.beside(
                RunningStorage.shared(),
                folder.resolve("demanding"),
                Map.of(
                    "staithe.http2", true,
                    "staithe.limits.min-upload-rate", "100KB",
                    "staithe.limits.rate-window", "1s"));
        SSLSocket socket = connect(demanding)) {
      request(
          socket,
          250,
          0,
          Map.of(":method", "PUT", ":path", "/open/slow", "content-length", "1000"));
      Thread drip = Thread.ofVirtual().start(() -> drip(socket));
      assertEnded(socket);
      drip.interrupt();
      assertThat(demanding.curl("/.staithe/metrics").run().text())
          .contains("staithe_connections_slow_total{part=\"upload\"} 1");
      assertThat(demanding.open().resolve("slow")).doesNotExist();
    }
  }

  private static void drip(SSLSocket socket) {
    try {
      endedAtLast(socket, DATA, new byte[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException enough) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the server ends a connection whose client sends these again and again. */
  private static boolean endedAtLast(SSLSocket socket, int frame, byte[] content)
      throws IOException, InterruptedException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    for (int i = 0; i < 600; i++) {
      try {
        Http2Tests.frame(out, frame, 0, 1, content);
        out.flush();
      } catch (IOException ended) {
        return true;
      }
      Thread.sleep(50); // the very slowness that is tried
    }
    return false;
  }

  private static SSLSocket connect(RunningStorage to) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            to.authority().clientContext().getSocketFactory().createSocket("localhost", to.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** Whether the server resets the stream; else the read of the next frame fails at last. */
  private static void assertEnded(SSLSocket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int type = -1;
    while (type != RST_STREAM) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      type = in.readUnsignedByte();
      in.skipNBytes(5 + length);
    }
  }

  /**
   * Sends the preface, a first SETTINGS and HEADERS (RFC 9113 sections 3.4 and 6).
   *
   * @param window bytes of an answer that may come at first, less than 256
   */
  private static void request(SSLSocket socket, int window, int flags, Map<String, String> fields)
      throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":scheme", "https");
    field(block, ":authority", "localhost:" + socket.getPort());
    for (Map.Entry<String, String> each : new TreeMap<>(fields).entrySet()) {
      field(block, each.getKey(), each.getValue());
    }
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    byte[] initialWindowSize = {0, 4, 0, 0, 0, (byte) window};
    Http2Tests.frame(out, SETTINGS, 0, 0, initialWindowSize);
    Http2Tests.frame(out, HEADERS, END_HEADERS | flags, 1, block.toByteArray());
    out.flush();
  }

  /** A literal field without indexing (RFC 7541 section 6.2.2). */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : List.of(name, value)) {
      int length = text.length();
      if (length < 127) {
        block.write(length);
      } else {
        block.write(127);
        for (length -= 127; length >= 128; length /= 128) {
          block.write(length % 128 + 128);
        }
        block.write(length);
      }
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }
}
