package dev.staithe.slcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.service.Settings;
import dev.staithe.slcs.ca.CaSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class CaPropertiesTests {
  private static final URI URL = URI.create("https://slcs.example.org");

  @TempDir Path folder;
  private String certificate;
  private String key;

  @BeforeEach
  void write() throws Exception {
    certificate = folder.resolve("ca.pem").toString();
    key = folder.resolve("ca.key").toString();
    CertificateIssuer.create("CA", KeyKind.EC_P256, Duration.ofDays(1), Clock.systemUTC())
        .write(Path.of(certificate), Path.of(key));
    Files.writeString(folder.resolve("secret"), "1234\n");
  }

  private static CaSettings settings(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("ca." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Binder(new MapConfigurationPropertySource(values))
        .bindOrCreate("ca", Bindable.of(CaProperties.class))
        .settings(Path.of("state"), URL);
  }

  private static void refused(String because, String... keysAndValues) {
    assertThatThrownBy(() -> settings(keysAndValues))
        .isInstanceOf(BindException.class)
        .rootCause()
        .isInstanceOf(Settings.InvalidSetting.class)
        .hasMessageContaining(because);
  }

  @Test
  void withoutAnyKeyOneIsMadeForDevelopment() {
    var settings = settings();

    assertThat(settings.key())
        .isEqualTo(new CaSettings.Key.Development(Path.of("state/ca"), KeyKind.EC_P256));
    assertThat(settings.published()).isEqualTo(URL);
    assertThat(settings.crlInterval()).isEqualTo(Duration.ofDays(1));
    assertThat(settings.crlValidity()).isEqualTo(Duration.ofDays(7));
    assertThat(settings.ocspValidity()).isEqualTo(Duration.ofHours(1));
  }

  /** Nobody would notice until a certificate has to be withdrawn. */
  @Test
  void siteIsToldWhereNobodyWillFetchItsLists() {
    assertThat(SlcsStartLines.doubt(settings().published()))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .contains("at https://slcs.example.org,", "staithe.ca.plain-port")
                    .doesNotContain("\n"));
    assertThat(settings("plain-port", "8080").published())
        .isEqualTo(URI.create("http://slcs.example.org:8080"));
    assertThat(SlcsStartLines.doubt(settings("plain-port", "8080").published())).isEmpty();
    assertThat(SlcsStartLines.doubt(settings("published-at", "http://ca.example.org").published()))
        .isEmpty();
    assertThat(
            SlcsStartLines.doubt(
                settings("plain-port", "80", "published-at", "https://ca.example.org").published()))
        .isPresent();
  }

  @Test
  void keyIsWhereTheSiteSays() {
    String secret = folder.resolve("secret").toString();

    assertThat(settings("certificate", certificate, "key", key).key())
        .isEqualTo(new CaSettings.Key.PemFiles(Path.of(certificate), Path.of(key)));
    assertThat(settings("pkcs12.file", key, "pkcs12.password-file", secret).key())
        .isEqualTo(new CaSettings.Key.Pkcs12(Path.of(key), Path.of(secret), null));
    assertThat(
            settings("pkcs11.library", key, "pkcs11.token", "ca", "pkcs11.pin-file", secret).key())
        .isInstanceOfSatisfying(
            CaSettings.Key.Token.class,
            token -> assertThat(token.token().toString()).isEqualTo("the token \"ca\" of " + key));
  }

  @Test
  void keyInTwoPlacesIsRefused() {
    String secret = folder.resolve("secret").toString();

    refused(
        "in one place",
        "certificate",
        certificate,
        "key",
        key,
        "pkcs12.file",
        key,
        "pkcs12.password-file",
        secret);
    refused(
        "given, or slot is",
        "pkcs11.library",
        key,
        "pkcs11.token",
        "ca",
        "pkcs11.slot",
        "1",
        "pkcs11.pin-file",
        secret);
  }

  @Test
  void certificateWithoutItsKeyIsRefused() {
    refused("a file that this user can read", "certificate", certificate);
  }

  @Test
  void namesPoliciesAndAddressesThatAreNoneAreRefused() {
    refused("the beginning of a name", "namespaces", "DC=org");
    refused("identifiers in dots", "policies", "1.2.x");
    refused("a URL", "published-at", "ldap://ca.example.org");
    refused("a mail address", "contact", "nobody");
    refused("letters, digits", "alias", "../ca");
    refused("1m to", "crl-interval", "1s");
    assertThat(settings("namespaces", "/DC=org/DC=example").namespaces())
        .containsExactly(DistinguishedName.parse("/DC=org/DC=example"));
  }

  @Test
  void listThatEndsBeforeTheNextIsMadeIsRefused() {
    refused("24h to", "crl-validity", "12h");
  }
}
