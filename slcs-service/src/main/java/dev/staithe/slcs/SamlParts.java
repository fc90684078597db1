package dev.staithe.slcs;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.session.SessionSettings;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Turns {@code staithe.saml} into what the package of SAML takes.
 *
 * @param trust for fetching metadata; null where none are fetched
 */
record SamlParts(SamlSettings settings, @Nullable ClientTls trust) implements AutoCloseable {
  /** Of a certificate that only carries a key: nobody looks when it ends. */
  private static final Duration LONG = Duration.ofDays(3650);

  private static final Duration CHECK = Duration.ofMinutes(1);

  static SamlParts of(SlcsProperties properties, TlsProvider provider, Clock clock) {
    ClientTls trust =
        fetches(properties.saml())
            ? ClientTrust.open("staithe.trust", properties.trust(), CHECK, provider, clock)
            : null;
    return new SamlParts(
        started(
            "staithe.saml",
            () -> settings(properties, trust == null ? null : trust.context(), clock)),
        trust);
  }

  private static boolean fetches(SamlProperties saml) {
    return Stream.concat(
            saml.providers().stream().map(SamlProperties.Provider::metadata),
            Stream.ofNullable(saml.federation()).map(SamlProperties.Federation::metadata))
        .anyMatch(metadata -> metadata != null && metadata.startsWith("https://"));
  }

  @Override
  public void close() {
    if (trust != null) {
      trust.close();
    }
  }

  private static SamlSettings settings(
      SlcsProperties properties, @Nullable SSLContext trust, Clock clock) throws IOException {
    SamlProperties saml = properties.saml();
    return new SamlSettings(
        Objects.requireNonNull(properties.url()),
        properties.state(),
        credential(properties, clock),
        saml.key() == null,
        saml.encryption(),
        saml.providers().stream()
            .map(
                each ->
                    new SamlSettings.NamedProvider(
                        Objects.requireNonNull(each.name()),
                        each.displayName(),
                        Objects.requireNonNull(each.metadata()),
                        each.entityId(),
                        each.scopes(),
                        each.encryption() == null ? saml.encryption() : each.encryption()))
            .toList(),
        federation(saml.federation()),
        saml.refresh(),
        trust,
        saml.clockSkew(),
        saml.requestLifetime(),
        saml.authenticatedWithin(),
        saml.contexts(),
        saml.begunPerAddress(),
        new SessionSettings(
            Objects.requireNonNull(properties.url()),
            saml.session().idle(),
            saml.session().longest(),
            saml.session().recheck(),
            saml.session().bindToClientKey()));
  }

  private static SamlSettings.@Nullable FederationSource federation(
      SamlProperties.@Nullable Federation federation) throws IOException {
    return federation == null
        ? null
        : new SamlSettings.FederationSource(
            Objects.requireNonNull(federation.metadata()),
            Pem.readCertificates(Objects.requireNonNull(federation.certificate())).getFirst());
  }

  private static Credential credential(SlcsProperties properties, Clock clock) throws IOException {
    SamlProperties saml = properties.saml();
    Credential credential;
    if (saml.certificate() != null && saml.key() != null) {
      credential = Credential.read(saml.certificate(), saml.key());
    } else {
      Path certificate = properties.state().resolve("saml.pem");
      Path key = properties.state().resolve("saml-key.pem");
      if (!Files.exists(certificate)) {
        Files.createDirectories(properties.state());
        String host = Objects.requireNonNull(properties.url()).getHost();
        CertificateIssuer.create("Staithe SAML", KeyKind.RSA_3072, LONG, clock)
            .issueHost(new HostCertificateRequest(List.of(host), KeyKind.RSA_3072, LONG))
            .write(certificate, key);
      }
      credential = Credential.read(certificate, key);
    }
    if (!(credential.key() instanceof RSAPrivateKey)) {
      throw new IOException("the key must be RSA: providers encrypt for it");
    }
    return credential;
  }
}
