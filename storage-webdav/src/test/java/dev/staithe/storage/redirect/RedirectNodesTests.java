package dev.staithe.storage.redirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Data nodes that are asked whether they are well. */
final class RedirectNodesTests {
  private static final Duration PERIOD = Duration.ofHours(1);

  private static boolean isGivenUp(OutputStream out) {
    try {
      out.write('.');
      return false;
    } catch (IOException closed) {
      return true;
    }
  }

  /** Else each question would keep a connection more, for as long as the node goes on so. */
  @Test
  void nodeWhoseAnswerDripsIsNotListenedToForLong() throws Exception {
    try (ServerSocket node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RedirectNodes nodes =
            new RedirectNodes(
                List.of(URI.create("http://127.0.0.1:" + node.getLocalPort())),
                SSLContext.getDefault(),
                PERIOD,
                Duration.ofSeconds(3)); // in which a busy machine has connected
        Socket asked = node.accept()) {
      OutputStream out = asked.getOutputStream();
      out.write(
          "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Eventually.holds("the connection is closed", () -> isGivenUp(out));
      assertThat(nodes.next()).isEmpty();
    }
  }
}
