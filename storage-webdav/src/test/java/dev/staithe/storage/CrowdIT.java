package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many connections to one process, idle ones and rude ones: what they cost, and what is left. */
class CrowdIT {
  @TempDir static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageProcess process;

  @BeforeAll
  static void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    process = StorageProcess.start(folder.resolve("element"), authority, issuer, Map.of());
    Sample.write(folder.resolve("element/open/large"), 1, 20 << 20);
    Files.write(folder.resolve("element/open/f"), Sample.bytes(2, 1000));
    serves();
  }

  @AfterAll
  static void stop() {
    process.close();
    issuer.close();
  }

  private static void serves() {
    assertThat(Curl.to(process.url("/open/f")).trusting(authority).run().body()).hasSize(1000);
  }

  private static RawClient connect() throws IOException {
    return RawClient.to(process.port(), authority);
  }

  private static long count(String what) {
    try (Stream<Path> entries =
        Files.list(Path.of("/proc", Long.toString(process.process().pid()), what))) {
      return entries.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static final String HEAD = "HEAD /open/f HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @Test
  void fiveHundredIdleConnectionsCostNoThreads() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 500; i++) {
        RawClient client = connect();
        clients.add(client);
        client.send(HEAD);
        assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
      }
      serves();
      assertThat(count("task")).isLessThan(150);
      RawClient again = clients.get(250);
      again.send(HEAD);
      assertThat(again.readHead()).startsWith("HTTP/1.1 200 ");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void rudeClientsLeaveNoDescriptorsNoFilesAndNoStackTraces() throws IOException {
    Eventually.holds("others are gone", () -> count("fd") < 200);
    long before = count("fd");
    for (int i = 0; i < 50; i++) {
      // Not TLS at all.
      plain("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      plain(Sample.bytes(i, 500));
      // The head of a handshake record, and silence.
      plain(new byte[] {22, 3, 1, 2, 0, 1, 0, 1});
      reset(HEAD.substring(0, 10));
      reset("GET /open/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
      reset("PUT /open/rude HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\nabc");
      reset(
          "PUT /open/rude HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "zz\r\nabc");
      Trials.held();
    }

    Eventually.holds("their descriptors are closed", () -> count("fd") <= before + 10);
    Eventually.holds("their uploads are gone", () -> staged() == 0);
    assertThat(folder.resolve("element/open/rude")).doesNotExist();
    assertThat(process.process().output()).doesNotContain("\tat ").doesNotContain(" ERROR ");
    serves();
  }

  private static long staged() {
    try (Stream<Path> all = Files.walk(folder.resolve("element/open/.staithe/stage"))) {
      return all.filter(Files::isRegularFile).filter(p -> !p.endsWith("lock")).count();
    } catch (IOException | java.io.UncheckedIOException changing) {
      return -1;
    }
  }

  /** Sends bytes without TLS and closes. */
  private static void plain(byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.port())) {
      socket.getOutputStream().write(bytes);
    }
  }

  /** Sends by TLS and resets the connection, without the goodbyes of TLS and TCP. */
  private static void reset(String request) throws IOException {
    Socket below = new Socket(InetAddress.getLoopbackAddress(), process.port());
    below.setSoLinger(true, 0);
    try (below) {
      RawClient client = RawClient.over(below, authority);
      client.send(request);
      if (request.startsWith("GET")) {
        client.readHead();
      }
    }
  }
}
