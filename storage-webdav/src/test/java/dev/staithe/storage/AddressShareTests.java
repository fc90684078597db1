package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** One address that opens as many connections as it can, and another one. */
final class AddressShareTests {
  private static final int SHARE = 20;
  private static final int TRIED = 100;

  @TempDir Path folder;

  private RunningStorage narrow(String trustedProxy) {
    return RunningStorage.start(
        folder.resolve("storage"),
        Map.of(
            "staithe.limits.connections", TRIED,
            "staithe.limits.connections-per-address", SHARE,
            "staithe.proxy.trusted", trustedProxy));
  }

  private static Socket from(String address, RunningStorage storage) throws IOException {
    Socket socket =
        new Socket(
            InetAddress.getByName("127.0.0.1"), storage.port(), InetAddress.getByName(address), 0);
    socket.setSoTimeout(180_000);
    return socket;
  }

  private static boolean serves(String address, RunningStorage storage) {
    try (RawClient client = RawClient.over(from(address, storage), storage.authority())) {
      client.send("OPTIONS /open/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      return client.readHead().startsWith("HTTP/1.1 200 ");
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void manyConnectionsOfOneAddressStopNoOther() throws IOException {
    Logger log = (Logger) LoggerFactory.getLogger("dev.staithe.service.http.AddressShare");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    List<Socket> held = new ArrayList<>();
    try (RunningStorage storage = narrow("")) {
      log.addAppender(lines); // the start takes away those of before
      for (int i = 0; i < TRIED; i++) {
        held.add(from("127.0.0.2", storage));
        Trials.held();
      }
      for (Socket beyond : held.subList(SHARE, TRIED)) {
        assertThat(isClosed(beyond)).isTrue();
      }
      assertThat(serves("127.0.0.2", storage)).isFalse();

      assertThat(serves("127.0.0.1", storage)).isTrue();
      assertThat(storage.curl("/.staithe/metrics").run().text())
          .contains("staithe_connections_refused_total " + (TRIED - SHARE + 1) + ".0\n");
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly(
              "127.0.0.2 has 20 connections open, its share (limits.connections-per-address):"
                  + " further ones are closed");

      close(held.subList(0, 1));
      Eventually.holds("one is free again", () -> serves("127.0.0.2", storage));
    } finally {
      log.detachAppender(lines);
      close(held);
    }
  }

  /** Behind it there are many clients. */
  @Test
  void trustedProxyHasNoShare() throws IOException {
    List<Socket> held = new ArrayList<>();
    try (RunningStorage storage = narrow("127.0.0.2")) {
      for (int i = 0; i < 2 * SHARE; i++) {
        held.add(from("127.0.0.2", storage));
      }
      assertThat(serves("127.0.0.2", storage)).isTrue();
    } finally {
      close(held);
    }
  }
}
