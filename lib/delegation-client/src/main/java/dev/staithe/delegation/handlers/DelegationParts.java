package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.CredentialFiles;
import dev.staithe.pki.Credential;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.tls.ClientCertificateSettings;
import dev.staithe.tls.ClientCertificates;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.ClientTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of both sides are made of, from the settings; one object, so that no type of it
 * stands in the way of a service's own beans. A setting that cannot be used is named in the
 * message.
 */
final class DelegationParts implements AutoCloseable {
  private static final int MOST_CONNECTED = 1000;
  private static final int MOST_DELEGATED = 10_000;

  private final DelegationProperties properties;
  private final Path trust;
  private final ClientTls tls;
  private final @Nullable CredentialFiles own;
  private final Clock clock;
  private @Nullable ClientCertificates callers;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException where a setting is missing or cannot be used
   */
  DelegationParts(DelegationProperties properties, Clock clock) {
    this.properties = properties;
    this.trust = needed(properties.trust(), "trust", "a folder or PEM file of authorities");
    this.clock = clock;
    try {
      this.own =
          properties.certificate() == null
              ? null
              : CredentialFiles.read(
                  properties.certificate(),
                  needed(properties.key(), "key", "the key of staithe.delegation.certificate"));
      // java.net.http and engines of other providers do not agree on how connections end.
      this.tls =
          ClientTls.open(
              ClientTlsSettings.of(trust), TlsProvider.choose(TlsProvider.Choice.JDK), clock);
    } catch (IOException e) {
      throw new IllegalArgumentException("staithe.delegation: " + e.getMessage(), e);
    }
  }

  Delegator delegator() {
    DelegationProperties.Client client = properties.client();
    URI service =
        needed(
            client.service(), "client.service", "the URL of the delegation-service to delegate to");
    var rules =
        new Delegator.Rules(
            new AllowedService(service, DelegationLanguage.STAITHE).url(),
            new AcquireRules(
                client.acquirers().stream().map(GridSubject::parse).toList(),
                client.uses(),
                client.hops(),
                client.limited(),
                null),
            client.lifetime(),
            client.renewBefore(),
            MOST_DELEGATED,
            new Destinations(client.to()));
    return new Delegator(rules, client.ownName() ? this::own : Optional::empty, tls, clock);
  }

  ActingConnections connections() {
    return new ActingConnections(
        this::own, tls, new Destinations(properties.client().to()), MOST_CONNECTED);
  }

  Delegatee delegatee() {
    DelegationProperties.Server server = properties.server();
    if (server.allowed().isEmpty()) {
      throw new IllegalArgumentException(
          "staithe.delegation.server.allowed: is needed: the services that may be asked for proxies");
    }
    CredentialFiles as = needed(own, "certificate", "this service's own, by which it acquires");
    List<AllowedService> allowed =
        server.allowed().stream()
            .map(
                each ->
                    new AllowedService(
                        needed(each.url(), "server.allowed.url", "the URL of a service"),
                        each.language()))
            .toList();
    KeyKind keys =
        switch (server.keys()) {
          case P_256 -> KeyKind.EC_P256;
          case RSA_2048 -> KeyKind.RSA_2048;
        };
    try {
      var judge =
          ClientCertificates.open(
              new ClientCertificateSettings(
                  trust,
                  new ClientChainRules(
                      ClientChainRules.Revocation.IF_VALID,
                      ClientChainRules.Namespaces.IF_PRESENT,
                      server.legacyProxies()),
                  false,
                  ClientTlsSettings.DEFAULT_CHECK_INTERVAL),
              clock);
      callers = judge;
      return new Delegatee(
          allowed,
          new Delegatee.Rules(keys, server.lifetime(), server.renewBefore(), server.sessions()),
          judge,
          as::current,
          tls,
          clock);
    } catch (IOException e) {
      throw new IllegalArgumentException("staithe.delegation.trust: " + e.getMessage(), e);
    }
  }

  private Optional<Credential> own() {
    return Optional.ofNullable(own).map(CredentialFiles::current);
  }

  private static <T> T needed(@Nullable T value, String key, String what) {
    if (value == null) {
      throw new IllegalArgumentException("staithe.delegation." + key + ": is needed: " + what);
    }
    return value;
  }

  @Override
  public void close() {
    tls.close();
    ClientCertificates open = callers;
    if (open != null) {
      open.close();
    }
  }
}
