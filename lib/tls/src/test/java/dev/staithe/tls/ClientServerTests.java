package dev.staithe.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClientServerTests {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir Path folder;
  private TestMaterial material;

  @BeforeEach
  void makeAuthority() {
    material = new TestMaterial(folder, CLOCK);
  }

  static Stream<Arguments> pairs() {
    return Providers.pairs();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void handshakeSucceedsWithAes128(TlsProvider client, TlsProvider server, String protocol)
      throws Exception {
    for (KeyKind kind : List.of(KeyKind.EC_P256, KeyKind.RSA_2048)) {
      material.issue(kind, Duration.ofDays(1), "se.test");
      Wire wire = wire(client, server, "se.test");
      only(wire.client, protocol);

      wire.handshake();

      assertThat(wire.client.getSession().getProtocol()).isEqualTo(protocol);
      assertThat(wire.client.getSession().getCipherSuite())
          .contains("AES_128_GCM")
          .isEqualTo(wire.server.getSession().getCipherSuite());
      assertThat(wire.client.getApplicationProtocol()).isEqualTo("http/1.1");
      assertThat(wire.server.getApplicationProtocol()).isEqualTo("http/1.1");
      assertThat(wire.client.getSession().getPeerCertificates()).isNotEmpty();
    }
  }

  /** ARC's libraries offer P-521 and nothing else. */
  @ParameterizedTest
  @MethodSource("pairs")
  void oneGroupIsEnoughWhicheverOfTheUsualOnes(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    // In TLS 1.2 the curve of an ECDSA certificate must be among them.
    material.issue(KeyKind.RSA_2048, Duration.ofDays(1), "se.test");
    List<String> groups =
        client == Providers.CONSCRYPT
            ? List.of("X25519", "P-256", "P-384", "P-521")
            : List.of("x25519", "secp256r1", "secp384r1", "secp521r1");
    for (String group : groups) {
      Wire wire = wire(client, server, "se.test");
      only(wire.client, protocol);
      SSLParameters parameters = wire.client.getSSLParameters();
      parameters.setNamedGroups(new String[] {group});
      wire.client.setSSLParameters(parameters);

      wire.handshake();
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void addressIsAGoodHostWhereTheCertificateNamesIt(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    material.issue("se.test", "127.0.0.1", "::1");
    for (String host : List.of("127.0.0.1", "[::1]", "::1")) {
      Wire wire = wire(client, server, host);
      only(wire.client, protocol);
      wire.handshake();
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void certificateOfAnotherHostIsRefused(TlsProvider client, TlsProvider server, String protocol) {
    material.issue("other.test", "10.0.0.1");

    assertRefused(client, server, protocol, "se.test", "certificate of se.test is not for se.test");
    assertRefused(
        client, server, protocol, "127.0.0.1", "certificate of 127.0.0.1 is not for 127.0.0.1");
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void certificateOfAnotherHostIsRefusedThoughTheCallerTurnsIdentificationOff(
      TlsProvider client, TlsProvider server, String protocol) {
    material.issue("other.test");
    Wire wire = wire(client, server, "se.test");
    only(wire.client, protocol);
    SSLParameters parameters = wire.client.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("");
    wire.client.setSSLParameters(parameters);

    assertThatThrownBy(wire::handshake).isInstanceOf(SSLException.class);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void expiredCertificateIsRefused(TlsProvider client, TlsProvider server, String protocol) {
    material.issue(KeyKind.EC_P256, Duration.ofHours(1), "se.test");

    assertRefused(
        client,
        server,
        protocol,
        "se.test",
        "certificate of se.test has expired",
        Clock.fixed(NOW.plus(Duration.ofHours(2)), ZoneOffset.UTC));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void certificateOfAnUnknownAuthorityIsRefused(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    material.issue("se.test");
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    var stranger = new TestMaterial(elsewhere, CLOCK);
    Pem.writeCertificates(material.trustFile, List.of(stranger.authority.certificate()));

    assertRefused(
        client,
        server,
        protocol,
        "se.test",
        "certificate of se.test is not issued by a trusted authority");
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void revokedCertificateIsRefusedOnceTheListIsThere(
      TlsProvider client, TlsProvider server, String protocol) throws Exception {
    X509Certificate host = material.issue("se.test").certificate();
    Path trust = Files.createDirectory(folder.resolve("trust"));
    Pem.writeCertificates(trust.resolve("ca.pem"), List.of(material.authority.certificate()));
    try (var clientTls =
            ClientTls.open(new ClientTlsSettings(trust, Duration.ZERO, 0), client, CLOCK);
        var serverTls = material.server(server, CLOCK)) {
      var before = wire(clientTls, serverTls, protocol);
      before.handshake();

      Files.write(
          trust.resolve("ca.r0"),
          material.authority.revocationList(List.of(host), Duration.ofDays(1)).getEncoded());

      assertThat(clientTls.reloadIfChanged()).isTrue();
      var after = wire(clientTls, serverTls, protocol);
      assertThatThrownBy(after::handshake)
          .satisfies(
              failure ->
                  assertThat(ClientTls.rejection(failure))
                      .contains("certificate of se.test has been revoked"));

      Files.writeString(trust.resolve("ca.r0"), "no list any more");
      clientTls.reloadIfChanged();
      assertThat(clientTls.anchors().damagedLists()).hasSize(1);
      assertThatThrownBy(wire(clientTls, serverTls, protocol)::handshake)
          .satisfies(
              failure ->
                  assertThat(ClientTls.rejection(failure))
                      .contains("certificate of se.test has been revoked"));
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void oldProtocolsAreNotSpoken(TlsProvider client, TlsProvider server, String protocol) {
    material.issue("se.test");
    Wire wire = wire(client, server, "se.test");

    assertThat(wire.server.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    assertThat(wire.client.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    assertThat(wire.server.getEnabledCipherSuites())
        .allMatch(suite -> suite.contains("GCM") || suite.contains("CHACHA20"))
        .noneMatch(suite -> suite.startsWith("TLS_RSA"));
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsProvider.Choice.class,
      names = {"JDK", "CONSCRYPT"})
  void serverPrefersItsOwnOrderInTls12(TlsProvider.Choice choice) throws Exception {
    material.issue("se.test");
    var provider = TlsProvider.choose(choice);
    Wire wire = wire(Providers.JDK, provider, "se.test");
    SSLParameters parameters = wire.client.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.2"});
    parameters.setCipherSuites(
        new String[] {
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        });
    wire.client.setSSLParameters(parameters);

    wire.handshake();

    assertThat(wire.client.getSession().getCipherSuite())
        .isEqualTo(wire.server.getEnabledCipherSuites()[ecdsa12(wire.server)]);
  }

  private static int ecdsa12(SSLEngine server) {
    List<String> suites = List.of(server.getEnabledCipherSuites());
    return suites.indexOf(
        suites.stream().filter(suite -> suite.contains("ECDHE_ECDSA")).findFirst().orElseThrow());
  }

  private void assertRefused(
      TlsProvider client, TlsProvider server, String protocol, String host, String reason) {
    assertRefused(client, server, protocol, host, reason, CLOCK);
  }

  private void assertRefused(
      TlsProvider client,
      TlsProvider server,
      String protocol,
      String host,
      String reason,
      Clock clientClock) {
    try (var serverTls = material.server(server, CLOCK);
        var clientTls = material.client(client, clientClock)) {
      Wire wire = new Wire(clientTls.engine(host, 8443), serverTls.context().createSSLEngine());
      only(wire.client, protocol);

      assertThatThrownBy(wire::handshake)
          .isInstanceOf(SSLException.class)
          .satisfies(failure -> assertThat(ClientTls.rejection(failure)).contains(reason));
    }
  }

  private Wire wire(TlsProvider client, TlsProvider server, String host) {
    try (var serverTls = material.server(server, CLOCK);
        var clientTls = material.client(client, CLOCK)) {
      return new Wire(clientTls.engine(host, 8443), serverTls.context().createSSLEngine());
    }
  }

  private static Wire wire(ClientTls client, ServerTls server, String protocol) {
    var wire = new Wire(client.engine("se.test", 8443), server.context().createSSLEngine());
    only(wire.client, protocol);
    return wire;
  }

  private static void only(SSLEngine engine, String protocol) {
    engine.setEnabledProtocols(new String[] {protocol});
  }
}
