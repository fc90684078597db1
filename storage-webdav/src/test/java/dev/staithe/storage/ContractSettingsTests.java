package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.trust.SoftTpm;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Settings of contracts with which the server does not start: it says which, and what to do. */
final class ContractSettingsTests {
  private static final String ATTESTED = "staithe.areas[0].contracts.attested[0].";

  @TempDir private Path folder;
  private final Map<String, Object> settings = new LinkedHashMap<>();

  @BeforeEach
  void startFromWhatWorks() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    Files.createDirectories(folder.resolve("data"));
    Pem.writePrivateKey(folder.resolve("contract.pem"), KeyKind.EC_P256.generate().getPrivate());
    settings.put("server.port", 0);
    settings.put("server.address", "127.0.0.1");
    settings.put("staithe.tls.certificate", host.certificate());
    settings.put("staithe.tls.key", host.key());
    settings.put("staithe.trust", authority.certificateFile());
    settings.put("staithe.areas[0].name", "data");
    settings.put("staithe.areas[0].root", folder.resolve("data"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "a.example:8443,b.example");
    settings.put("staithe.contracts.origin", "https://s.example:8443");
    settings.put("staithe.contracts.key", folder.resolve("contract.pem"));
    settings.put("staithe.contracts.state", folder.resolve("contracts"));
  }

  private String refused(Object... more) {
    Map<String, Object> all = new LinkedHashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(String.valueOf(more[i]), more[i + 1]);
    }
    Throwable failure =
        catchThrowable(
            () ->
                new SpringApplicationBuilder(StorageApplication.class)
                    .run(
                        all.entrySet().stream()
                            .map(e -> "--" + e.getKey() + "=" + e.getValue())
                            .toArray(String[]::new))
                    .close());
    assertThat(failure).as("the start").isNotNull();
    String line = OneLineFailure.describe(failure);
    assertThat(line).as(failure.toString()).isNotNull().doesNotContain("\n", "Exception");
    return line.replace(folder.toString(), "~");
  }

  @Test
  void settingIsNamedAsItIsWritten() {
    Map<String, String> wrong = new LinkedHashMap<>();
    wrong.put("staithe.contracts.origin", "http://s.example");
    wrong.put("staithe.contracts.key", "/none");
    wrong.put("staithe.contracts.state", "");
    wrong.put("staithe.contracts.accepted-terms", "ab");
    wrong.put("staithe.contracts.witness-every", "48h");
    wrong.put("staithe.contracts.old-keys[0].key", "/none");
    wrong.put("staithe.areas[0].contracts.hosts", "https://b.example");
    wrong.put("staithe.areas[0].contracts.properties", "jurisdiction ~ DE");
    wrong.put("staithe.areas[0].contracts.max-open-per-host", "0");
    wrong.put("staithe.areas[0].contracts.terms.sha256", "ab");
    wrong.forEach(
        (setting, value) ->
            assertThat(refused(setting, value)).startsWith(setting + " = \"" + value + "\": "));
  }

  /** As where somebody has forgotten to say that contracts are to hold. */
  @Test
  void whatHoldsNowhereAsTheModeIsOffIsNamedAtTheStart() {
    String mode = "staithe.areas[0].contracts.mode";
    String line = mode + " = \"off\": must be offer or require where contracts has hosts";
    assertThat(refused(mode, "off")).startsWith(line);
    settings.remove(mode);
    assertThat(refused()).startsWith(line);
  }

  @Test
  void partnerThatNobodyCouldAskIsNamedAtTheStart() {
    String hosts = "staithe.areas[0].contracts.hosts";
    for (String host : List.of("b.example:84443", "b-.example", "[:::]")) {
      assertThat(refused(hosts, host)).startsWith(hosts + " = \"" + host + "\": ");
    }
    String origin = "staithe.contracts.origin";
    assertThat(refused(origin, "https://s.example:84443"))
        .startsWith(origin + " = \"https://s.example:84443\": ");
  }

  @Test
  void whatAnAreaSaysOfTpmsIsCheckedAtTheStart() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage"), "garbage");
    String host = ATTESTED + "host";
    String key = ATTESTED + "key";
    assertThat(refused(host, "a.example:8443", key, "/none"))
        .isEqualTo(ATTESTED + "key = \"/none\": must be a file that this user can read");
    assertThat(refused(host, "a.example:8443", key, garbage))
        .isEqualTo(
            "staithe.areas.contracts.attested.key: ~/garbage holds no public key: expected a block"
                + " -----BEGIN PUBLIC KEY-----");
    assertThat(refused(key, garbage))
        .contains(
            "attested[0].host = \"null\": must be host, as a.example:8443, and key, a PEM file");
    assertThat(refused(host, "c.example:8443", key, garbage))
        .contains(
            "staithe.areas[0].contracts.attested.host = \"c.example:8443\": must be one of contracts.hosts, and"
                + " there once");
    // As partners elsewhere, 443 may be written or not.
    assertThat(refused(host, "b.example:443", key, garbage)).contains("holds no public key");
    assertThat(refused(host, "b.example", key, garbage, ATTESTED + "pcrs", "24"))
        .contains(ATTESTED + "pcrs = \"24\": must be 0 to 23");
    assertThat(refused(host, "b.example", key, garbage, ATTESTED + "pcr-digest", "AB"))
        .contains(ATTESTED + "pcr-digest = \"AB\": must be a SHA-256 in hexadecimal");
    assertThat(refused(host, "b.example", key, garbage, ATTESTED + "pcr-digest", "ab".repeat(32)))
        .contains(ATTESTED + "pcrs = \"\": must be those that pcr-digest is of");
  }

  @Test
  void peopleAreByCertificatesOrByIssuersThatAreKnown() {
    String people = "staithe.areas[0].contracts.people.";
    assertThat(refused(people + "issuers[0].issuer", "https://authn.example"))
        .isEqualTo(
            people
                + "issuers[0].issuer = \"https://authn.example\": must be an issuer that"
                + " staithe.issuers lists");
    assertThat(
            refused(
                people + "issuers[0].issuer",
                "https://authn.example",
                people + "issuers[0].clients",
                ""))
        .contains("clients = \"\": must be at least one client");
  }

  @Test
  void ownTpmThatDoesNotQuoteStopsTheStart() {
    String key = "staithe.contracts.tpm.key";
    String tcti = "staithe.contracts.tpm.tcti";
    assertThat(refused(key, "ak"))
        .startsWith(
            "staithe.contracts.tpm.key = \"ak\": must be a persistent handle, as 0x81010002");
    assertThat(refused(key, SoftTpm.HANDLE, "staithe.contracts.tpm.pcrs", "0,99"))
        .startsWith("staithe.contracts.tpm.pcrs = \"99\": must be 0 to 23");
    assertThat(refused(key, SoftTpm.HANDLE, tcti, "swtpm:path=" + folder.resolve("none")))
        .startsWith("staithe.contracts.tpm: no TPM by tcti ")
        .contains("shows an attestation key 0x8101000", ": tpm2_readpublic ended with ");
    try (SoftTpm tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.ECC)) {
      assertThat(refused(key, "0x81010009", tcti, tpm.tcti()))
          .startsWith("staithe.contracts.tpm: no TPM by tcti ")
          .contains("shows an attestation key 0x8101000", ": tpm2_readpublic ended with ");
    }
    settings.remove("staithe.contracts.key");
    settings.remove("staithe.areas[0].contracts.mode");
    settings.remove("staithe.areas[0].contracts.hosts");
    assertThat(refused(key, SoftTpm.HANDLE))
        .startsWith(
            "staithe.contracts.tpm = \"\": must be absent where there is no key of contracts");
  }
}
