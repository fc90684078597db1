package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Hosts with several addresses. */
final class AddressFallbackTests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** For one socket at a time: whoever is not reached gives its buffer back. */
  private final BufferPool buffers = new BufferPool(4096, 1, 1);

  private HttpSocket connect(int port, String... literals) throws IOException {
    return AddressFallback.connect(
        Stream.of(literals).map(InetAddress::ofLiteral).toArray(InetAddress[]::new),
        port,
        () -> HttpSocket.open("it", null, buffers, Duration.ZERO),
        PATIENCE);
  }

  @Test
  void addressAtWhichNobodyListensIsPassedOver() throws IOException {
    InetAddress there = InetAddress.ofLiteral("127.0.0.2");
    try (ServerSocket listening = new ServerSocket(0, 5, there);
        HttpSocket socket = connect(listening.getLocalPort(), "127.0.0.1", "127.0.0.2")) {
      assertThat(socket.remote()).isEqualTo(listening.getLocalSocketAddress());
    }
  }

  @Test
  void hostThatIsReachedByNoAddressLeavesNothing() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.2"))) {
      int port = listening.getLocalPort();
      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> connect(port, "127.0.0.1", "127.0.0.3"));
      assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(port));
      connect(port, "127.0.0.2").close();
    }
  }

  @Test
  void noOtherAddressIsTriedForOneWhoHasGivenUp() throws IOException {
    var opened = new AtomicInteger();
    AddressFallback.Sockets givenUp =
        () -> {
          opened.incrementAndGet();
          HttpSocket socket = HttpSocket.open("it", null, buffers, Duration.ZERO);
          socket.abort("cancelled");
          return socket;
        };
    InetAddress[] two = {InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.2")};

    assertThatExceptionOfType(HttpFailure.class)
        .isThrownBy(() -> AddressFallback.connect(two, 9, givenUp, PATIENCE))
        .withMessage("cancelled");

    assertThat(opened).hasValue(1);
  }
}
