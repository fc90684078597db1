package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.pki.grid.ClientVerdict.Accepted;
import dev.staithe.pki.grid.ClientVerdict.Refused;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What servers ask of clients, by both implementations. */
class ClientAuthenticationTests {
  // That of the machine: the clients here are made of the JDK's own parts, which ask no other.
  private final MovableClock clock = new MovableClock(Instant.now());

  @TempDir Path folder;
  private TestMaterial material;
  private CertificateIssuer people;
  private Path trust;
  private ClientCertificates clients;

  @BeforeEach
  void makePeople() throws IOException {
    material = new TestMaterial(folder, clock);
    material.issue("se.test");
    people = CertificateIssuer.create("People", KeyKind.EC_P256, Duration.ofDays(30), clock);
    trust = Files.createDirectory(folder.resolve("people"));
    Pem.writeCertificates(trust.resolve("people.pem"), List.of(people.certificate()));
    open(false);
  }

  @AfterEach
  void close() {
    clients.close();
  }

  private void open(boolean inHandshake) throws IOException {
    clients =
        ClientCertificates.open(
            new ClientCertificateSettings(
                trust, ClientChainRules.DEFAULT, inHandshake, Duration.ZERO),
            clock);
  }

  static Stream<Arguments> servers() {
    return Providers.all().stream()
        .flatMap(
            server ->
                Stream.of("TLSv1.3", "TLSv1.2").map(protocol -> Arguments.of(server, protocol)));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void clientIsKnownByItsCertificateAndMayDoWithoutOne(TlsProvider server, String protocol)
      throws Exception {
    Credential ada = person("ada");
    try (ServerTls tls = server(server)) {
      assertThat(tls.asksClients()).isTrue();
      Wire with = wire(context(ada), tls, protocol);
      with.handshake();
      assertThat(shown(with)).isEqualTo(ada.chain());

      Wire without = wire(context(null), tls, protocol);
      without.handshake();
      assertThatThrownBy(() -> without.server.getSession().getPeerCertificates())
          .isInstanceOf(SSLPeerUnverifiedException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void clientIsKnownInAResumedSessionToo(TlsProvider server, String protocol) throws Exception {
    Credential ada = person("ada");
    SSLContext client = context(ada);
    try (ServerTls tls = server(server)) {
      Wire first = wire(client, tls, protocol);
      first.handshake();
      exchange(first);

      Wire second = wire(client, tls, protocol);
      second.handshake();

      // Conscrypt as a server resumes no session of TLS 1.3.
      if (server != Providers.CONSCRYPT || !protocol.equals("TLSv1.3")) {
        assertThat(second.client.getSession().getCreationTime())
            .as("resumed")
            .isEqualTo(first.client.getSession().getCreationTime());
      }
      assertThat(shown(second)).isEqualTo(ada.chain());
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void certificateThatIsNotBelievedPassesTheHandshakeToBeAnsweredWithTheReason(
      TlsProvider server, String protocol) throws Exception {
    Credential stranger = stranger();
    try (ServerTls tls = server(server)) {
      Wire wire = wire(context(stranger), tls, protocol);
      wire.handshake();

      assertThat(clients.verdict(shown(wire)))
          .isEqualTo(new Refused("the client certificate is not issued by a trusted authority"));
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void certificateThatIsNotBelievedEndsTheHandshakeWhereAsked(TlsProvider server, String protocol)
      throws Exception {
    clients.close();
    open(true);
    try (ServerTls tls = server(server)) {
      Wire good = wire(context(person("ada")), tls, protocol);
      good.handshake();

      Wire bad = wire(context(stranger()), tls, protocol);
      assertThatThrownBy(bad::handshake).isInstanceOf(SSLException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("servers")
  void serverThatIsNotToldToAskDoesNot(TlsProvider server, String protocol) throws Exception {
    try (ServerTls tls = material.server(server, clock)) {
      assertThat(tls.asksClients()).isFalse();
      Wire wire = wire(context(person("ada")), tls, protocol);
      wire.handshake();

      assertThatThrownBy(() -> wire.server.getSession().getPeerCertificates())
          .isInstanceOf(SSLPeerUnverifiedException.class);
    }
  }

  @Test
  void revocationListThatComesLaterIsNoticedThoughTheVerdictIsRemembered() throws Exception {
    Credential ada = person("ada");
    assertThat(clients.verdict(ada.chain())).isInstanceOf(Accepted.class);

    Files.write(
        trust.resolve("people.crl"),
        people.revocationList(List.of(ada.certificate()), Duration.ofDays(1)).getEncoded());
    assertThat(clients.reloadIfChanged()).isTrue();

    assertThat(clients.verdict(ada.chain()))
        .isEqualTo(new Refused("the client certificate has been revoked"));
  }

  @Test
  void authorityThatIsWithdrawnIsNoticedThoughTheVerdictIsRemembered() throws Exception {
    Credential ada = person("ada");
    assertThat(clients.verdict(ada.chain())).isInstanceOf(Accepted.class);

    Pem.writeCertificates(trust.resolve("people.pem"), List.of(material.authority.certificate()));
    assertThat(clients.reloadIfChanged()).isTrue();

    assertThat(clients.verdict(ada.chain())).isInstanceOf(Refused.class);
  }

  @Test
  void rememberedVerdictEndsWithTheCertificate() {
    Credential ada =
        people.issueHost(
            new HostCertificateRequest(List.of("ada"), KeyKind.EC_P256, Duration.ofSeconds(30)));
    ClientVerdict first = clients.verdict(ada.chain());
    assertThat(first).isInstanceOf(Accepted.class);
    assertThat(clients.verdict(ada.chain())).as("remembered").isSameAs(first);

    clock.advance(Duration.ofSeconds(31));

    assertThat(clients.verdict(ada.chain()))
        .matches(v -> v instanceof Refused r && r.reason().contains("expired"));
  }

  @Test
  void refusalIsRememberedForSecondsOnlySoThatRepetitionCostsNothing() {
    Credential stranger = stranger();
    ClientVerdict first = clients.verdict(stranger.chain());
    assertThat(first).isInstanceOf(Refused.class);
    assertThat(clients.verdict(stranger.chain())).isSameAs(first);

    clock.advance(Duration.ofSeconds(6));

    assertThat(clients.verdict(stranger.chain())).isNotSameAs(first).isEqualTo(first);
  }

  @Test
  void refusalByAClockThatWasAheadEndsOnceTheClockIsRight() {
    Credential ada = person("ada");
    clock.advance(Duration.ofDays(3650));
    assertThat(clients.verdict(ada.chain())).isInstanceOf(Refused.class);

    clock.advance(Duration.ofDays(-3650));

    assertThat(clients.verdict(ada.chain())).isInstanceOf(Accepted.class);
  }

  /** What it was made of may be as long as strangers like. */
  @Test
  void chainThatIsRefusedIsRememberedWithoutItsCertificates() throws Exception {
    WeakReference<List<X509Certificate>> chain = refused();
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (chain.get() != null) {
      assertThat(System.nanoTime()).as("let go in time").isLessThan(end);
      System.gc();
      Thread.sleep(5);
    }
  }

  private WeakReference<List<X509Certificate>> refused() {
    List<X509Certificate> chain = List.of(stranger().certificate());
    assertThat(clients.verdict(chain)).isInstanceOf(Refused.class);
    return new WeakReference<>(chain);
  }

  @Test
  void floodOfBadCertificatesForgetsNoGoodOne() {
    Credential ada = person("ada");
    ClientVerdict good = clients.verdict(ada.chain());
    X509Certificate stranger = stranger().certificate();
    int bad = 1500;
    for (int i = 0; i < bad; i++) {
      // Each chain is another one: it holds the same stranger once more, in pairs of two kinds.
      List<X509Certificate> chain = new java.util.ArrayList<>(List.of(stranger));
      for (int bit = 0; bit < 11; bit++) {
        chain.add((i >> bit & 1) == 0 ? stranger : material.authority.certificate());
      }
      assertThat(clients.verdict(chain)).isInstanceOf(Refused.class);
    }

    assertThat(clients.verdict(ada.chain())).isSameAs(good);
    System.out.println("trials = " + bad);
  }

  @Test
  void verdictIsFormedAnewAfterAMinuteSinceListsBecomeOverdue() throws Exception {
    clients.close();
    Files.write(
        trust.resolve("people.crl"),
        people.revocationList(List.of(), Duration.ofMinutes(10)).getEncoded());
    clients =
        ClientCertificates.open(
            new ClientCertificateSettings(
                trust,
                new ClientChainRules(
                    ClientChainRules.Revocation.REQUIRE, ClientChainRules.Namespaces.IGNORE, false),
                false,
                Duration.ZERO),
            clock);
    Credential ada = person("ada");
    assertThat(clients.verdict(ada.chain())).isInstanceOf(Accepted.class);

    clock.advance(Duration.ofMinutes(11));

    assertThat(clients.verdict(ada.chain()))
        .matches(v -> v instanceof Refused r && r.reason().contains("no current revocation list"));
  }

  @Test
  void brokenFolderKeepsTheOldTrust() throws Exception {
    Files.writeString(trust.resolve("people.pem"), "half a cert");

    assertThat(clients.reloadIfChanged()).isFalse();

    assertThat(clients.status().lastError()).contains("holds no usable certificate");
    assertThat(clients.verdict(person("ada").chain())).isInstanceOf(Accepted.class);
  }

  @Test
  void folderWithoutAuthoritiesStopsTheStart() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));

    assertThatThrownBy(
            () ->
                ClientCertificates.open(
                    new ClientCertificateSettings(
                        empty, ClientChainRules.DEFAULT, false, Duration.ZERO),
                    clock))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds no usable certificate");
  }

  private Credential person(String name) {
    return people.issueHost(HostCertificateRequest.of(name));
  }

  private Credential stranger() {
    return CertificateIssuer.create("People", KeyKind.EC_P256, Duration.ofDays(1), clock)
        .issueHost(HostCertificateRequest.of("ada"));
  }

  private ServerTls server(TlsProvider provider) throws IOException {
    return ServerTls.open(
        new ServerTlsSettings(
            material.certificateFile,
            material.keyFile,
            Duration.ZERO,
            ServerTlsSettings.DEFAULT_BATCH_BYTES),
        provider,
        clients,
        clock);
  }

  /** A client of the JDK, that shows its certificate to whoever asks. */
  private SSLContext context(@Nullable Credential own) throws Exception {
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("ca", material.authority.certificate());
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        own == null ? null : new KeyManager[] {new Insistent(own)},
        trustManagers.getTrustManagers(),
        null);
    return context;
  }

  private static Wire wire(SSLContext client, ServerTls tls, String protocol) {
    SSLEngine engine = client.createSSLEngine("se.test", 443);
    engine.setUseClientMode(true);
    engine.setEnabledProtocols(new String[] {protocol});
    return new Wire(engine, tls.context().createSSLEngine());
  }

  private static List<X509Certificate> shown(Wire wire) throws SSLException {
    return Arrays.stream(wire.server.getSession().getPeerCertificates())
        .map(X509Certificate.class::cast)
        .toList();
  }

  /** Data in both directions, so that the client takes what the server said after the handshake. */
  private static void exchange(Wire wire) throws SSLException {
    for (int i = 0; i < 2; i++) {
      SSLEngine from = i == 0 ? wire.client : wire.server;
      SSLEngine to = i == 0 ? wire.server : wire.client;
      ByteBuffer line = i == 0 ? wire.toServer : wire.toClient;
      Wire.wrapAll(from, ByteBuffer.wrap(new byte[] {42}), line);
      ByteBuffer got = ByteBuffer.allocateDirect(1 << 20);
      for (int n = 0; n < 10 && got.position() == 0; n++) {
        Wire.unwrap(to, line, got);
      }
      assertThat(got.position()).isEqualTo(1);
    }
  }
}
