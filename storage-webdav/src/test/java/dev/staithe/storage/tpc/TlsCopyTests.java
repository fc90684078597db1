package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies over TLS, between two of ours and with servers that nobody should believe. */
final class TlsCopyTests {
  private static final Duration SOON = Duration.ofMillis(500);

  @TempDir Path folder;

  static ClientTls client(ThrowAwayAuthority authority, TlsProvider.Choice choice)
      throws IOException {
    return ClientTls.open(
        ClientTlsSettings.of(authority.certificateFile()),
        TlsProvider.choose(choice),
        Clock.systemUTC());
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO, AUTO, 0",
    "AUTO, JDK, 1",
    "JDK, AUTO, 4",
    "JDK, JDK, 4",
    "AUTO, AUTO, 4",
    "AUTO, AUTO, 3"
  })
  void twoElementsPullAndPushBetweenEachOther(
      TlsProvider.Choice server, TlsProvider.Choice client, int streams) throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    byte[] content = bytes(9_654_321);
    try (ServerTls serverTls =
            ServerTls.open(
                ServerTlsSettings.of(host.certificate(), host.key()),
                TlsProvider.choose(server),
                Clock.systemUTC());
        ClientTls clientTls = client(authority, client);
        Element a =
            Element.start(folder.resolve("a"), s -> s, serverTls.context(), clientTls::engine);
        Element b = Element.start(folder.resolve("b"), s -> s, null, clientTls::engine)) {
      a.put("file", content);
      Element.Answer pulled =
          b.copy(
              "/data/pulled",
              "Source: " + a.url("/data/file"),
              "TransferHeaderAuthorization: Bearer x",
              "X-Number-Of-Streams: " + streams,
              "RequireChecksumVerification: true");
      assertThat(pulled.last()).isEqualTo("success: Created");
      assertThat(pulled.body()).contains("Stripe Bytes Transferred: " + content.length + "\n");
      assertThat(Files.readAllBytes(b.file("pulled"))).isEqualTo(content);
      Element.Answer pushed =
          b.copy(
              "/data/pulled",
              "Destination: " + a.url("/data/pushed"),
              "TransferHeaderAuthorization: Bearer x",
              "RequireChecksumVerification: true");
      assertThat(pushed.last()).isEqualTo("success: Created");
      assertThat(Files.readAllBytes(a.file("pushed"))).isEqualTo(content);
    }
  }

  private Element.Answer pullFrom(String url, ClientTls tls) throws Exception {
    return pullFrom(url, tls, settings -> settings);
  }

  private Element.Answer pullFrom(String url, ClientTls tls, UnaryOperator<CopySettings> change)
      throws Exception {
    try (Element element = Element.start(folder.resolve("here"), change, null, tls::engine)) {
      Element.Answer answer = element.copy("/data/file", "Source: " + url);
      assertThat(element.file("file")).doesNotExist();
      return answer;
    }
  }

  @Test
  void pullFromServerOfUnknownAuthorityIsRefused() throws Exception {
    ThrowAwayAuthority ours = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    ThrowAwayAuthority theirs = ThrowAwayAuthority.in(folder.resolve("other"), Clock.systemUTC());
    try (ClientTls tls = client(ours, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.tls(
                theirs.serverContext(theirs.localhost().credential()),
                (request, wire) -> wire.respond("200 OK", "", "x"))) {
      Element.Answer answer = pullFrom(source.url("/file").replace("https", "davs"), tls);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("TLS handshake with 127.0.0.1:").contains("certificate");
      assertThat(source.requests()).isEmpty();
    }
  }

  @Test
  void pullFromServerWithCertificateOfAnotherHostIsRefused() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(authority.host("other.example").credential()),
                (request, wire) -> wire.respond("200 OK", "", "x"))) {
      assertThat(pullFrom(source.url("/file"), tls).status()).isEqualTo(400);
      assertThat(source.requests()).isEmpty();
    }
  }

  @Test
  void pullFromServerWithExpiredCertificateSaysSoInTheWordsThatClientsKnow() throws Exception {
    Clock past = Clock.offset(Clock.systemUTC(), Duration.ofDays(-3));
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), past);
    ThrowAwayAuthority.Host expired =
        authority.host(
            new HostCertificateRequest(List.of("127.0.0.1"), KeyKind.EC_P256, Duration.ofDays(1)));
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(expired.credential()),
                (request, wire) -> wire.respond("200 OK", "", "x"))) {
      assertThat(pullFrom(source.url("/file"), tls).body()).contains("certificate has expired");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsProvider.Choice.class,
      names = {"AUTO", "JDK"})
  void pullFromServerThatEndsTheHandshakeTellsItsAlert(TlsProvider.Choice choice) throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    try (ClientTls tls = client(authority, choice);
        ServerSocket source = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket client = source.accept()) {
                  client.getInputStream().read();
                  // An alert record: fatal, access_denied (RFC 8446 section 6.2).
                  client.getOutputStream().write(new byte[] {21, 3, 3, 0, 2, 2, 49});
                  client.shutdownOutput();
                  client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      assertThat(pullFrom("https://127.0.0.1:" + source.getLocalPort() + "/file", tls).body())
          .contains("the two sides do not agree (its alert: access denied)");
    }
  }

  @Test
  void pullByHttpsFromPlainServerSaysSo() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.plain((request, wire) -> wire.send("HTTP/1.1 400 no\r\n\r\n"))) {
      Element.Answer answer = pullFrom(source.url("/file").replace("http:", "https:"), tls);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("TLS handshake with");
    }
  }

  @Test
  void pullWhenServerAcceptsAndSaysNothingThenTheHandshakeTimesOut() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String url = "https://127.0.0.1:" + silent.getLocalPort() + "/file";
      Element.Answer answer =
          pullFrom(url, tls, settings -> SettingsDraft.like(settings).handshake(SOON).done());
      assertThat(answer.last()).contains("timed out");
    }
  }

  /** Without TLS's closing alert anybody in between could have cut the file short. */
  @Test
  void pullUntilTheConnectionEndsWithoutClosingAlertIsATruncation() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(host.credential()),
                (request, wire) -> wire.send("HTTP/1.0 200 OK\r\n\r\npart of it"));
        CuttingProxy proxy = CuttingProxy.to(source.port())) {
      Element.Answer answer = pullFrom("https://127.0.0.1:" + proxy.port() + "/file", tls);
      assertThat(answer.last()).contains("without TLS's closing alert");
    }
  }

  /** Before its end a record shows nothing of the file, though bytes come all the time. */
  @Test
  void pullWhoseSourceTricklesARecordFails() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    AtomicBoolean slow = new AtomicBoolean();
    try (ClientTls tls = client(authority, TlsProvider.Choice.AUTO);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(authority.localhost().credential()),
                (request, wire) -> {
                  wire.send("HTTP/1.1 200 OK\r\nContent-Length: 16000\r\n\r\n");
                  slow.set(true);
                  wire.send("x".repeat(16_000));
                });
        ServerSocket between = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> pass(between, source.port(), slow));
      Element.Answer answer =
          pullFrom(
              "https://127.0.0.1:" + between.getLocalPort() + "/file",
              tls,
              settings -> SettingsDraft.like(settings).stall(SOON).done());
      assertThat(answer.last()).isEqualTo("failure: no bytes received for 500 ms");
    }
  }

  /** Passes on what comes, one byte after the other where it is to be slow. */
  private static void pass(ServerSocket from, int to, AtomicBoolean slow) {
    try (Socket client = from.accept();
        Socket server = new Socket("127.0.0.1", to)) {
      client.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> passRequests(client, server));
      InputStream in = server.getInputStream();
      for (int each = in.read(); each >= 0; each = in.read()) {
        client.getOutputStream().write(each);
        if (slow.get()) {
          LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
      }
    } catch (IOException closed) {
      // The copy has given up.
    }
  }

  private static void passRequests(Socket client, Socket server) {
    try {
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException closed) {
      // The other direction ended.
    }
  }
}
