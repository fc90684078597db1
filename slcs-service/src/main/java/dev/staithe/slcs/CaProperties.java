package dev.staithe.slcs;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.Pkcs11Properties;
import dev.staithe.service.properties.Pkcs12Properties;
import dev.staithe.slcs.ca.CaSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The certificate authority. Its key is in one of three places, or is made for development.
 *
 * @param alias what its files are called at those who trust it
 * @param certificate PEM file of its certificate and those above it
 * @param key PEM file of its private key
 * @param pkcs12 both in a PKCS#12 file
 * @param pkcs11 both in a token
 * @param developmentKey the key that is made where none of these is given
 * @param namespaces what all names that it gives begin with, as {@code /DC=org/DC=example}
 * @param policies identifiers of the policies that its certificates name
 * @param publishedAt where its files are fetched, where not {@code staithe.url}
 * @param plainPort where lists and answers are served by plain HTTP; 0: nowhere
 * @param contact a mail address for those who trust it
 * @param weakKeys lists of keys that get no certificate
 * @param crlInterval how often a list of revoked certificates is made at least
 * @param crlValidity until when such a list is good
 * @param ocspValidity how long an answer about one certificate may be kept
 */
public record CaProperties(
    @DefaultValue("staithe") String alias,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Pkcs12Properties pkcs12,
    @Nullable Pkcs11Properties pkcs11,
    @DefaultValue("ec-p256") KeyKind developmentKey,
    @DefaultValue List<String> namespaces,
    @DefaultValue List<String> policies,
    @Nullable URI publishedAt,
    @DefaultValue("0") int plainPort,
    @Nullable String contact,
    @DefaultValue List<Path> weakKeys,
    @DefaultValue("1d") Duration crlInterval,
    @DefaultValue("7d") Duration crlValidity,
    @DefaultValue("1h") Duration ocspValidity) {

  /** Checks what concerns more than one of them. */
  public CaProperties {
    int places =
        (certificate != null || key != null ? 1 : 0)
            + (pkcs12 != null ? 1 : 0)
            + (pkcs11 != null ? 1 : 0);
    Settings.require(
        places <= 1, "key", key == null ? "" : key, "in one place: PEM files, pkcs12 or pkcs11");
    if (certificate != null || key != null) {
      Settings.requireFile(certificate, "certificate");
      Settings.requireFile(key, "key");
    }
    Settings.require(
        alias.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,60}"),
        "alias",
        alias,
        "letters, digits, dots, dashes and underscores");
    for (String namespace : namespaces) {
      try {
        DistinguishedName.parse(namespace);
      } catch (IllegalArgumentException e) {
        throw new Settings.InvalidSetting(
            "namespaces", namespace, "the beginning of a name, as /DC=org/DC=example");
      }
    }
    for (String policy : policies) {
      Settings.require(
          policy.matches("[0-2](\\.(0|[1-9][0-9]*))+"),
          "policies",
          policy,
          "identifiers in dots, as 1.2.840.113612.5.2.2.3");
    }
    Settings.require(
        contact == null || PersonCertificateRequest.isMail(contact),
        "contact",
        contact == null ? "" : contact,
        "a mail address");
    Settings.require(
        publishedAt == null
            || (("http".equals(publishedAt.getScheme()) || "https".equals(publishedAt.getScheme()))
                && publishedAt.getHost() != null
                && !publishedAt.toString().endsWith("/")),
        "published-at",
        publishedAt == null ? "" : publishedAt,
        "a URL without a slash at its end, as http://ca.example.org");
    Settings.requireWithin(plainPort, 0, 65535, "plain-port");
    Settings.requireWithin(crlInterval, Duration.ofMinutes(1), Duration.ofDays(30), "crl-interval");
    Settings.requireWithin(crlValidity, crlInterval, Duration.ofDays(90), "crl-validity");
    Settings.requireWithin(
        ocspValidity, Duration.ofMinutes(1), Duration.ofDays(7), "ocsp-validity");
  }

  /**
   * As the authority takes them.
   *
   * @param state the folder below which a key for development is kept
   * @param url of this service
   */
  CaSettings settings(Path state, URI url) {
    return new CaSettings(
        place(state),
        alias,
        namespaces.stream().map(DistinguishedName::parse).toList(),
        policies,
        publishedAt == null ? usual(url) : publishedAt,
        contact,
        weakKeys,
        crlInterval,
        crlValidity,
        ocspValidity);
  }

  private URI usual(URI url) {
    return plainPort == 0 ? url : URI.create("http://" + url.getHost() + ":" + plainPort);
  }

  private CaSettings.Key place(Path state) {
    if (certificate != null && key != null) {
      return new CaSettings.Key.PemFiles(certificate, key);
    }
    if (pkcs12 != null) {
      return new CaSettings.Key.Pkcs12(pkcs12.file(), pkcs12.passwordFile(), pkcs12.alias());
    }
    if (pkcs11 != null) {
      return new CaSettings.Key.Token(pkcs11.place(null));
    }
    return new CaSettings.Key.Development(state.resolve("ca"), developmentKey);
  }
}
