package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.SoftHsm;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both sides get a new contract key while a transfer is under way: it was asked for and answered by
 * the old ones, and is acknowledged by the new ones. That of the sender is in a token (SoftHSM by
 * PKCS#11) and never leaves it.
 */
@SuppressWarnings("try")
final class ContractKeyChangeIT {
  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();

  @BeforeEach
  void prepare() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    Files.createDirectories(folder.resolve("p/data"));
    Files.writeString(folder.resolve("p/data/file"), "bytes of great value");
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private RunningStorage start(String name, int port, int partner, Map<String, Object> keys) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    settings.putAll(keys);
    return RunningStorage.start(folder.resolve(name), authority, issuer, settings);
  }

  private RunningStorage startP(Map<String, Object> keys) {
    return start("p", portOfP, portOfA, keys);
  }

  private RunningStorage startA(Map<String, Object> keys) {
    return start("a", portOfA, portOfP, keys);
  }

  private Path key(String name) throws IOException {
    Path file = folder.resolve(name);
    Pem.writePrivateKey(file, KeyKind.EC_P256.generate().getPrivate());
    return file;
  }

  /** A new key on P-256, with a certificate of its own, in a new token. */
  private SoftHsm token() throws Exception {
    SoftHsm token = SoftHsm.make(folder, "contracts");
    Path certificate = folder.resolve("token.pem");
    Path key = folder.resolve("token-key.pem");
    CertificateIssuer.create(
            DistinguishedName.parse("/DC=org/DC=staithe/CN=Contract key"),
            KeyKind.EC_P256,
            Duration.ofDays(1),
            Clock.systemUTC())
        .write(certificate, key);
    token.take(certificate, key, "contract");
    return token;
  }

  private static Map<String, Object> changed(Path old) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.contracts.old-keys[0].key", old);
    settings.put("staithe.contracts.old-keys[0].until", Instant.now());
    return settings;
  }

  /** As if that server had been stopped there. */
  private void rewind(String name, String change) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:h2:file:" + folder.resolve(name + "-contracts/contracts").toAbsolutePath(),
            "staithe",
            "")) {
      connection.createStatement().execute("update contract set " + change);
    }
  }

  /** The one contract. */
  private KeptContracts.Row row(String name) {
    List<KeptContracts.Row> rows = KeptContracts.live(folder.resolve(name + "-contracts"));
    assertThat(rows).hasSize(1);
    return rows.getFirst();
  }

  private static Map<String, PartyKey> published(RunningStorage server) throws Exception {
    return PartyKey.readSet(server.curl("/.well-known/jwks.json").run().text());
  }

  private static List<ContractAudit.Finding> audit(
      Map<String, PartyKey> keys, RunningStorage ofLog, byte[] statement) {
    String host = ofLog.curl("/.well-known/staithe-host").run().text();
    String log = host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/");
    return new ContractAudit(keys, LogVerifier.parse(log)).run(statement);
  }

  @Test
  void whatWasBegunByTheOldKeysIsAcknowledgedByTheNewOnesAndAllOfItVerifies() throws Exception {
    Path oldOfP = key("p-2026.pem");
    Path oldOfA = key("a-2026.pem");
    try (RunningStorage p = startP(Map.of("staithe.contracts.key", oldOfP));
        RunningStorage a = startA(Map.of("staithe.contracts.key", oldOfA))) {
      CopyAnswer.of(
              a.curl("/data/file")
                  .token(a.token())
                  .header("Source", "https://localhost:" + portOfP + "/data/file")
                  .header("TransferHeaderAuthorization", "Bearer " + a.token())
                  .method("COPY")
                  .run())
          .succeeded(20);
    }
    // All bytes have come, and nothing was told of it yet.
    rewind("a", "state = 'verified', own_statement = null, partner_statement = null");
    rewind("p", "state = 'sent', received = '', own_statement = null");

    SoftHsm token = token();
    Map<String, Object> ofP = changed(oldOfP);
    ofP.put("staithe.contracts.pkcs11.library", SoftHsm.LIBRARY);
    ofP.put("staithe.contracts.pkcs11.token", token.label());
    // First, as a process that is logged in to a token once stays so.
    ofP.put(
        "staithe.contracts.pkcs11.pin-file", Files.writeString(folder.resolve("wrong"), "9999\n"));
    assertThatThrownBy(() -> startP(ofP))
        .hasStackTraceContaining("refuses the PIN in")
        .hasStackTraceContaining("staithe.contracts.pkcs11");
    ofP.put("staithe.contracts.pkcs11.pin-file", token.pinFile());
    Map<String, Object> ofA = changed(oldOfA);
    ofA.put("staithe.contracts.key", key("a-2027.pem"));
    try (RunningStorage p = startP(ofP);
        RunningStorage a = startA(ofA)) {
      Eventually.holds("acknowledged", () -> row("a").state().equals("acknowledged"));

      assertThat(row("p").state()).isEqualTo("received");
      assertThat(published(p)).hasSize(2).containsKey(ContractKey.read(oldOfP).id());
      assertThat(published(a)).hasSize(2).containsKey(ContractKey.read(oldOfA).id());
      Map<String, PartyKey> keys = new HashMap<>(published(p));
      keys.putAll(published(a));
      byte[] statement = row("p").own();
      assertThat(audit(keys, p, statement)).hasSize(6).allMatch(ContractAudit.Finding::good);
      assertThat(audit(keys, a, row("a").own())).allMatch(ContractAudit.Finding::good);
      assertThat(Statement.parse(statement).keyId())
          .as("stated by the key in the token")
          .isNotEqualTo(ContractKey.read(oldOfP).id());
      for (Path old : List.of(oldOfP, oldOfA)) {
        Map<String, PartyKey> without = new HashMap<>(keys);
        without.remove(ContractKey.read(old).id());
        assertThat(audit(without, p, statement))
            .as("answer and request are by the old keys")
            .anyMatch(finding -> !finding.good());
      }
    }
  }
}
