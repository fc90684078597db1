package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.HostCertificateRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class ReloadTests {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir Path folder;
  private final MovableClock clock = new MovableClock(START);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private TestMaterial material;

  @BeforeEach
  void begin() {
    material = new TestMaterial(folder, clock);
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void end() {
    logger().detachAppender(log);
  }

  static Stream<Arguments> pairs() {
    return Providers.pairs();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void newConnectionSeesTheNewCertificateAndTheOldOneGoesOn(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    X509Certificate first = material.issue("se.test").certificate();
    try (var serverTls = material.server(server, clock);
        var clientTls = material.client(client, clock)) {
      var old = connect(clientTls, serverTls, protocol);
      exchange(old);

      X509Certificate second =
          material.issue(KeyKind.RSA_2048, Duration.ofDays(1), "se.test").certificate();
      clock.advance(Duration.ofMinutes(1));
      assertThat(serverTls.reloadIfChanged()).isTrue();

      exchange(old);
      assertThat(peer(old)).isEqualTo(first);
      // The client offers to resume the old session: it must not get the old certificate by that.
      assertThat(peer(connect(clientTls, serverTls, protocol))).isEqualTo(second);
      assertThat(serverTls.certificate()).isEqualTo(second);
      assertThat(serverTls.status().loadedAt()).isEqualTo(START.plus(Duration.ofMinutes(1)));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void trustThatIsWithdrawnEndsNewConnectionsThoughASessionIsKnown(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    material.issue("se.test");
    try (var serverTls = material.server(server, clock);
        var clientTls = material.client(client, clock)) {
      exchange(connect(clientTls, serverTls, protocol));
      var stranger = new TestMaterial(Files.createDirectory(folder.resolve("other")), clock);

      Pem.writeCertificates(material.trustFile, List.of(stranger.authority.certificate()));
      assertThat(clientTls.reloadIfChanged()).isTrue();

      assertThatThrownBy(() -> connect(clientTls, serverTls, protocol))
          .isInstanceOf(SSLException.class);
      assertThat(clientTls.anchors().certificates())
          .containsExactly(stranger.authority.certificate());
    }
  }

  /** Clients of stores ask for a factory once, when they are made. */
  @ParameterizedTest
  @MethodSource("clients")
  void socketsOfAFactoryThatIsKeptFollowTheTrust(TlsProvider client, String protocol)
      throws Exception {
    material.issue("localhost");
    var stranger = new TestMaterial(Files.createDirectory(folder.resolve("other")), clock);
    try (var serverTls = material.server(Providers.JDK, clock);
        var clientTls = material.client(client, clock);
        var listening =
            serverTls
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> greet(listening));
      SSLSocketFactory kept = clientTls.context().getSocketFactory();
      assertThat(greeting(kept, listening.getLocalPort(), protocol)).isEqualTo('!');

      Pem.writeCertificates(material.trustFile, List.of(stranger.authority.certificate()));
      assertThat(clientTls.reloadIfChanged()).isTrue();
      assertThatThrownBy(() -> greeting(kept, listening.getLocalPort(), protocol))
          .isInstanceOf(SSLException.class);

      Pem.writeCertificates(material.trustFile, List.of(material.authority.certificate()));
      assertThat(clientTls.reloadIfChanged()).isTrue();
      assertThat(greeting(kept, listening.getLocalPort(), protocol)).isEqualTo('!');
    }
  }

  static Stream<Arguments> clients() {
    return Providers.all().stream()
        .flatMap(
            client ->
                Stream.of("TLSv1.3", "TLSv1.2").map(protocol -> Arguments.of(client, protocol)));
  }

  private static void greet(ServerSocket listening) {
    while (!listening.isClosed()) {
      try (Socket socket = listening.accept()) {
        socket.getOutputStream().write('!');
      } catch (IOException e) {
        // A client that does not believe us; the next one comes.
      }
    }
  }

  /** As clients of Redis connect. */
  private static int greeting(SSLSocketFactory sockets, int port, String protocol)
      throws IOException {
    var plain = new Socket(InetAddress.getLoopbackAddress(), port);
    try (var socket = (SSLSocket) sockets.createSocket(plain, "localhost", port, true)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return socket.getInputStream().read();
    }
  }

  @Test
  void unchangedFilesAreNotReadAgain() {
    material.issue("se.test");
    try (var serverTls = material.server(Providers.JDK, clock)) {
      clock.advance(Duration.ofHours(1));

      assertThat(serverTls.reloadIfChanged()).isFalse();

      assertThat(serverTls.status().loadedAt()).isEqualTo(START);
    }
  }

  @Test
  void keyOfAnotherCertificateStopsTheStart() throws IOException {
    material.issue("se.test");
    Pem.writePrivateKey(material.keyFile, stray("se.test").key());

    assertThatThrownBy(
            () ->
                ServerTls.open(
                    ServerTlsSettings.of(material.certificateFile, material.keyFile),
                    Providers.JDK,
                    clock))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not the private key of the first certificate");
  }

  @Test
  void brokenFileKeepsTheOldCertificateAndIsReportedOnce() throws Exception {
    X509Certificate first = material.issue("se.test").certificate();
    String good = Files.readString(material.certificateFile);
    try (var serverTls = material.server(Providers.JDK, clock);
        var clientTls = material.client(Providers.JDK, clock)) {
      Files.writeString(material.certificateFile, "half a cert");

      assertThat(serverTls.reloadIfChanged()).isFalse();
      assertThat(serverTls.reloadIfChanged()).isFalse();

      assertThat(serverTls.status().lastError()).contains("holds no certificate");
      assertThat(serverTls.status().loadedAt()).isEqualTo(START);
      assertThat(peer(connect(clientTls, serverTls, "TLSv1.3"))).isEqualTo(first);
      assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(1);
      assertThat(log.list.getFirst().getFormattedMessage())
          .contains("stays in use")
          .contains("host.pem holds no certificate")
          .doesNotContain("\n");

      Files.writeString(material.certificateFile, good);
      assertThat(serverTls.reloadIfChanged()).isTrue();
      assertThat(serverTls.status().lastError()).isNull();
    }
  }

  @Test
  void replacementInTwoStepsIsTakenWhenItIsComplete() throws Exception {
    X509Certificate first = material.issue("se.test").certificate();
    try (var serverTls = material.server(Providers.JDK, clock)) {
      Credential next = stray("se.test");

      Pem.writeCertificates(material.certificateFile, next.chain());
      assertThat(serverTls.reloadIfChanged()).isFalse();
      assertThat(serverTls.certificate()).isEqualTo(first);
      assertThat(serverTls.status().lastError()).contains("is not the private key");

      Pem.writePrivateKey(material.keyFile, next.key());
      assertThat(serverTls.reloadIfChanged()).isTrue();
      assertThat(serverTls.certificate()).isEqualTo(next.certificate());
    }
  }

  @Test
  void fileThatVanishesKeepsTheOldCertificate() throws Exception {
    material.issue("se.test");
    try (var serverTls = material.server(Providers.JDK, clock)) {
      Files.delete(material.keyFile);

      assertThat(serverTls.reloadIfChanged()).isFalse();

      assertThat(serverTls.status().lastError()).contains("no such file");
    }
  }

  @Test
  void statusTellsTheEarliestEndOfTheChain() {
    material.issue(KeyKind.EC_P256, Duration.ofHours(5), "se.test");
    try (var serverTls = material.server(Providers.JDK, clock);
        var clientTls = material.client(Providers.JDK, clock)) {
      assertThat(serverTls.status().notAfter()).isEqualTo(START.plus(Duration.ofHours(5)));
      assertThat(clientTls.status().notAfter()).isEqualTo(START.plus(Duration.ofDays(30)));
    }
  }

  @Test
  void expiredCertificateIsServedWithAWarning() {
    material.issue(KeyKind.EC_P256, Duration.ofHours(5), "se.test");
    clock.advance(Duration.ofHours(6));
    try (var serverTls = material.server(Providers.JDK, clock)) {
      assertThat(log.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .anyMatch(line -> line.contains("has expired at 2026-03-01T17:00:00Z"));
      assertThat(serverTls.certificate()).isNotNull();
    }
  }

  @Test
  void keyThatEveryUserOfTheMachineCanReadIsToldOf() throws Exception {
    material.issue("se.test");
    String told =
        "Private key %s can be read by every user of this machine: chmod o= %s"
            .formatted(material.keyFile, material.keyFile);
    material.server(Providers.JDK, clock).close();
    Files.setPosixFilePermissions(material.keyFile, PosixFilePermissions.fromString("rw-r-----"));
    material.server(Providers.JDK, clock).close();
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).doesNotContain(told);

    Files.setPosixFilePermissions(material.keyFile, PosixFilePermissions.fromString("rw-r--r--"));
    material.server(Providers.JDK, clock).close();
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).containsOnlyOnce(told);
  }

  @Test
  void filesAreWatchedWithoutBeingAsked() throws Exception {
    material.issue("se.test");
    try (var serverTls =
        ServerTls.open(
            new ServerTlsSettings(
                material.certificateFile, material.keyFile, Duration.ofMillis(20), 0),
            Providers.JDK,
            clock)) {
      X509Certificate second = material.issue("se.test").certificate();
      long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();

      while (!serverTls.certificate().equals(second)) {
        assertThat(System.nanoTime()).as("seen in time").isLessThan(deadline);
        Thread.sleep(5); // The watcher's own thread has to run meanwhile.
      }
    }
  }

  @Test
  void trustFolderIsWatchedFileByFile() throws Exception {
    Path trust = Files.createDirectory(folder.resolve("trust"));
    Pem.writeCertificates(trust.resolve("a.pem"), List.of(material.authority.certificate()));
    var other = new TestMaterial(Files.createDirectory(folder.resolve("other")), clock);
    try (var clientTls =
        ClientTls.open(
            new ClientTlsSettings(trust, Duration.ZERO, 0), Providers.JDK, Clock.systemUTC())) {
      Pem.writeCertificates(trust.resolve("b.pem"), List.of(other.authority.certificate()));
      assertThat(clientTls.reloadIfChanged()).isTrue();
      assertThat(clientTls.anchors().count()).isEqualTo(2);

      Files.writeString(trust.resolve("c.pem"), "broken");
      assertThat(clientTls.reloadIfChanged()).isTrue();
      assertThat(clientTls.anchors().skipped()).hasSize(1);

      for (String name : List.of("a.pem", "b.pem")) {
        Files.delete(trust.resolve(name));
      }
      assertThat(clientTls.reloadIfChanged()).isFalse();
      assertThat(clientTls.anchors().count()).isEqualTo(2);
      assertThat(clientTls.status().lastError()).contains("holds no usable certificate");
    }
  }

  /** As many lists that come at once may take more memory than there is at that moment. */
  @Test
  void readingThatEndsForWantOfMemoryIsTriedAgain() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "one");
    AtomicBoolean scarce = new AtomicBoolean();
    try (var reloadable =
        new Reloadable<>(
            "The file",
            List.of(file),
            Duration.ZERO,
            clock,
            () -> {
              if (scarce.get()) {
                throw new OutOfMemoryError("Java heap space");
              }
              return Files.readString(file);
            })) {
      Files.writeString(file, "another");
      scarce.set(true);
      assertThat(reloadable.check()).isFalse();
      assertThat(reloadable.lastError()).isEqualTo("Java heap space");
      assertThat(reloadable.current()).isEqualTo("one");

      scarce.set(false);
      assertThat(reloadable.check()).isTrue();
      assertThat(reloadable.current()).isEqualTo("another");
    }
  }

  private Credential stray(String host) {
    return material.authority.issueHost(
        new HostCertificateRequest(List.of(host), KeyKind.EC_P256, Duration.ofDays(1)));
  }

  private static Wire connect(ClientTls client, ServerTls server, String protocol)
      throws SSLException {
    var wire = new Wire(client.engine("se.test", 8443), server.context().createSSLEngine());
    wire.client.setEnabledProtocols(new String[] {protocol});
    wire.handshake();
    return wire;
  }

  /** A few bytes each way, with which tickets arrive too. */
  private static void exchange(Wire wire) throws SSLException {
    Wire.wrapAll(wire.server, ByteBuffer.wrap("hello".getBytes()), wire.toClient);
    Wire.wrapAll(wire.client, ByteBuffer.wrap("hello".getBytes()), wire.toServer);
    var received = ByteBuffer.allocate(300_000);
    while (wire.toClient.position() > 0) {
      Wire.unwrap(wire.client, wire.toClient, received);
    }
    while (wire.toServer.position() > 0) {
      Wire.unwrap(wire.server, wire.toServer, received);
    }
    assertThat(new String(received.array(), 0, received.position())).isEqualTo("hellohello");
  }

  private static X509Certificate peer(Wire wire) throws SSLException {
    return (X509Certificate) wire.client.getSession().getPeerCertificates()[0];
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger("dev.staithe.tls");
  }
}
