package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.service.RunningSample;
import dev.staithe.testkit.Eventually;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class FailedHandshakesTests {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(FailedHandshakes.class);

  @TempDir Path folder;

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  private List<String> told() {
    synchronized (lines) {
      return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
  }

  @Test
  void clientThatSpeaksNoTlsIsOneLineWithItsAddress() throws Exception {
    try (RunningSample service = new RunningSample(folder, Map.of());
        Socket socket = new Socket("127.0.0.1", service.port())) {
      // The start has set up logging anew.
      listen();
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

      Eventually.holds("the line is there", () -> !told().isEmpty());
    }
    assertThat(told()).singleElement().asString().startsWith("TLS handshake with /127.0.0.1:");
  }

  @Test
  void floodOfFailuresIsAFewLinesAndANumber() {
    var nanos = new AtomicLong();
    var listener = new FailedHandshakes(nanos::get);
    var client = new InetSocketAddress("127.0.0.1", 4711);
    for (int i = 0; i < 25; i++) {
      listener.failed(client, new SSLHandshakeException("no\nforged line \u001b[2J"));
    }
    assertThat(told()).hasSize(10).allMatch(line -> line.endsWith("failed: no forged line [2J"));

    nanos.addAndGet(Duration.ofSeconds(61).toNanos());
    listener.failed(client, new SSLHandshakeException("again"));

    assertThat(told()).hasSize(12);
    assertThat(told().get(10)).startsWith("15 more ");
  }
}
