package dev.staithe.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.DelegationSettings;
import dev.staithe.delegation.credential.KeyChoice;
import dev.staithe.pki.GridSubject;
import dev.staithe.service.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Settings: defaults and what is refused. */
final class DelegationPropertiesTests {
  @TempDir Path folder;
  private final Map<String, String> least = new HashMap<>();

  @BeforeEach
  void files() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    least.put("staithe.url", "https://delegation.example.org");
    least.put("staithe.tls.certificate", file.toString());
    least.put("staithe.tls.key", file.toString());
    least.put("staithe.client-certificates.trust", folder.toString());
  }

  private DelegationProperties bound(String... keysAndValues) {
    Map<String, String> values = new HashMap<>(least);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("staithe." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new Binder(new MapConfigurationPropertySource(values))
        .bind("staithe", Bindable.of(DelegationProperties.class))
        .get();
  }

  private void refused(String... keysAndValues) {
    assertThatThrownBy(() -> bound(keysAndValues))
        .isInstanceOf(BindException.class)
        .rootCause()
        .isInstanceOf(Settings.InvalidSetting.class);
  }

  @Test
  void withoutFurtherKeysNobodyAcquiresUnlessHeIsNamed() {
    DelegationProperties properties = bound();
    DelegationSettings settings = properties.delegations().settings(properties.keys().kind());

    assertThat(settings)
        .isEqualTo(
            new DelegationSettings(
                new AcquireRules(List.of(), null, 2, false, Duration.ofHours(12)),
                KeyChoice.RSA_2048,
                Duration.ofDays(7),
                1000,
                100,
                Duration.ofHours(1)));
    assertThat(properties.delegations().warnBefore()).isEqualTo(Duration.ofHours(1));
    assertThat(properties.keys().pool()).isEqualTo(new KeysProperties.Pool(200, 1));
    assertThat(properties.clientCertificates().legacyProxies()).isFalse();
  }

  @Test
  void acquirersAreNamedInEitherWay() {
    DelegationProperties properties =
        bound(
            "delegations.acquirers[0]",
            "/DC=org/O=Example/CN=fts",
            "delegations.acquirers[1]",
            "CN=se,O=Example,DC=org");

    assertThat(properties.delegations().settings(KeyChoice.P_256).usual().acquirers())
        .containsExactly(
            GridSubject.parse("CN=fts,O=Example,DC=org"),
            GridSubject.parse("/DC=org/O=Example/CN=se"));
  }

  @ParameterizedTest
  @CsvSource({
    "url,http://delegation.example.org",
    "url,https://delegation.example.org/",
    "url,https:///x",
    "tls.enabled,false",
    "tls.key,/nowhere",
    "client-certificates.trust,",
    "keys.pool.size,-1",
    "keys.pool.size,100001",
    "keys.pool.threads,0",
    "delegations.acquirers,nobody",
    "delegations.uses,0",
    "delegations.hops,-1",
    "delegations.hops,6",
    "delegations.longest-acquired,59s",
    "delegations.longest-acquired,31d",
    "delegations.longest-lifetime,1s",
    "delegations.most-per-user,0",
    "delegations.most-requests-per-user,0",
    "delegations.request-lifetime,25h",
    "delegations.warn-before,-1s",
    "delegations.warn-before,31d"
  })
  void valueThatIsNotAllowedIsRefused(String key, String value) {
    if (value == null) {
      least.remove("staithe." + key);
      refused();
    } else {
      refused(key, value);
    }
  }

  @Test
  void serverAsDatabaseNeedsAMasterKeyThatAllNodesHave() throws Exception {
    Path key = Files.createFile(folder.resolve("sealing.key"));

    refused("database.url", "jdbc:postgresql://database/staithe");
    assertThat(
            bound(
                    "database.url",
                    "jdbc:postgresql://database/staithe",
                    "keys.sealing[0].file",
                    key.toString(),
                    "keys.sealing[1].variable",
                    "STAITHE_MASTER")
                .keys()
                .sealing())
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "variable", "pkcs12.file", "pkcs11.library"})
  void masterKeyInNoPlaceIsRefused(String key) {
    refused("keys.sealing[0]." + key, "/no where");
  }

  @Test
  void masterKeyInTwoPlacesIsRefused() {
    refused(
        "keys.sealing[0].file",
        folder.resolve("file").toString(),
        "keys.sealing[0].variable",
        "STAITHE_MASTER");
  }
}
