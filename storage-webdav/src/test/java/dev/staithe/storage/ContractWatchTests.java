package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of contracts, and that partners watch each other's logs. */
@SuppressWarnings("try")
final class ContractWatchTests {
  @TempDir private Path folder;
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
    for (String name : List.of("p", "a")) {
      Pem.writePrivateKey(
          folder.resolve(name + "-contract.pem"), KeyKind.EC_P256.generate().getPrivate());
    }
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private RunningStorage start(String name, int port, int partner) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", folder.resolve(name + "-contract.pem"));
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.witness-every", "1s");
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    return RunningStorage.start(folder.resolve(name), authority, issuer, settings);
  }

  private RunningStorage startP() {
    return start("p", portOfP, portOfA);
  }

  private String pulled(RunningStorage a, String name) {
    return CopyAnswer.of(
            a.curl("/data/" + name)
                .token(a.token())
                .header("Source", "https://localhost:" + portOfP + "/data/file")
                .header("TransferHeaderAuthorization", "Bearer " + a.token())
                .method("COPY")
                .run())
        .last();
  }

  private static String state(RunningStorage server) {
    return server.curl("/.staithe/contracts/state").run().text().replace("\\/", "/");
  }

  private static String metrics(RunningStorage server) {
    return server.curl("/.staithe/metrics").run().text();
  }

  private void delete(Path below) throws IOException {
    try (var files = Files.walk(below)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Test
  void operatorSeesWhatIsRefusedAndHowTheLogsAreAndALogThatWasCutEndsContracts() throws Exception {
    try (RunningStorage a = start("a", portOfA, portOfP)) {
      try (RunningStorage p = startP()) {
        assertThat(pulled(a, "one")).startsWith("success");
        assertThat(p.curl("/data/file").token(p.token()).run().status()).isEqualTo(403);
        assertThat(
                p.curl("/data/file")
                    .token(p.token())
                    .header("Contract", "id=\"0188d5a1-0000-7000-8000-000000000000\"")
                    .run()
                    .status())
            .isEqualTo(403);
        assertThat(state(p))
            .contains(
                "\"open\":0",
                "\"untold\":0",
                "\"refusals\":2",
                "\"failed-verifications\":1",
                "\"log\":{\"entries\":1,\"bytes\":66}");
        assertThat(metrics(p))
            .contains(
                "staithe_contracts_failed_verifications 1.0",
                "staithe_contracts_log_bytes 66.0",
                "staithe_contracts_inconsistent 0.0");
        Eventually.holds(
            "seen",
            () -> state(a).contains("\"host\":\"localhost:" + portOfP + "\",\"entries\":1"));
        assertThat(metrics(a)).contains("staithe_contracts_inconsistent 0.0");
      }
      // Its operator forgets what it has sent: an empty log by the same key.
      delete(folder.resolve("p-contracts/log"));
      try (RunningStorage p = startP()) {
        Eventually.holds("found", () -> metrics(a).contains("staithe_contracts_inconsistent 1.0"));
        assertThat(state(a)).contains("its 0 entries do not begin with the 1 that it had");
        assertThat(pulled(a, "two")).contains("the log of localhost:" + portOfP + " is not what");
        assertThat(a.data().resolve("two")).doesNotExist();
        assertThat(folder.resolve("a-contracts/witnessed/localhost:" + portOfP + ".inconsistent"))
            .content()
            .contains("/.staithe/log\n1\n", "/.staithe/log\n0\n");
        assertThat(p.curl("/.staithe/contracts/state").run().status()).isEqualTo(200);
      }
    }
    try (RunningStorage a = start("a", portOfA, portOfP)) {
      assertThat(metrics(a)).as("after a restart").contains("staithe_contracts_inconsistent 1.0");
    }
  }

  private static void seen(RunningStorage a, int port, int entries) {
    Eventually.holds(
        "seen",
        () -> state(a).contains("\"host\":\"localhost:" + port + "\",\"entries\":" + entries));
  }

  @Test
  void logOfWhichATileWasChangedOrThatWasForkedIsFoundByThePartner() throws Exception {
    Path log = folder.resolve("p-contracts/log");
    try (RunningStorage a = start("a", portOfA, portOfP)) {
      try (RunningStorage p = startP()) {
        for (int i = 0; i < 3; i++) {
          assertThat(pulled(a, "before" + i)).startsWith("success");
        }
        seen(a, portOfP, 3);
        Path tile = log.resolve("tile/0/000");
        byte[] hashes = Files.readAllBytes(tile);
        hashes[0] ^= 1;
        Files.write(tile, hashes);
        assertThat(pulled(a, "after")).startsWith("success");
        Eventually.holds("found", () -> metrics(a).contains("staithe_contracts_inconsistent 1.0"));
        assertThat(state(a)).contains("its 4 entries do not begin with the 3 that it had");
        assertThat(pulled(a, "later")).contains("is not what it was");
      }
      delete(log);
      TileLog fork =
          TileLog.open(
              log,
              LogKey.readOrMake(
                  folder.resolve("p-contracts/log.key"), "localhost:" + portOfP + "/.staithe/log"));
      for (byte i = 0; i < 10; i++) {
        fork.append(Hash.of(new byte[] {i}));
      }
      // Her operator has believed his, and took the evidence away.
      Files.delete(folder.resolve("a-contracts/witnessed/localhost:" + portOfP + ".inconsistent"));
      try (RunningStorage p = startP()) {
        Eventually.holds(
            "found", () -> state(a).contains("its 10 entries do not begin with the 3 that it had"));
        assertThat(pulled(a, "forked")).contains("is not what it was");
        assertThat(p.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n10\n");
      }
    }
  }

  @Test
  void logThatIsNotWhatItWasEndsContractsThoughTheEvidenceCannotBeKept() throws Exception {
    try (RunningStorage a = start("a", portOfA, portOfP)) {
      try (RunningStorage p = startP()) {
        assertThat(pulled(a, "one")).startsWith("success");
        seen(a, portOfP, 1);
        assertThat(p.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n1\n");
      }
      delete(folder.resolve("p-contracts/log"));
      // In whose place no file can be put, as on a full disk.
      Files.createDirectory(
          folder.resolve("a-contracts/witnessed/localhost:" + portOfP + ".inconsistent"));
      try (RunningStorage p = startP()) {
        Eventually.holds("found", () -> metrics(a).contains("staithe_contracts_inconsistent 1.0"));
        assertThat(pulled(a, "two")).contains("the log of localhost:" + portOfP + " is not what");
        assertThat(p.curl("/.staithe/log/checkpoint").run().text()).contains("/.staithe/log\n0\n");
      }
    }
  }

  @Test
  void openContractsAreCountedByPeer() throws Exception {
    try (RunningStorage p = startP();
        RunningStorage a = start("a", portOfA, portOfP)) {
      assertThat(pulled(a, "one")).startsWith("success");
    }
    // As if the receipt had never come.
    try (var connection =
        java.sql.DriverManager.getConnection(
            "jdbc:h2:file:" + folder.resolve("p-contracts/contracts").toAbsolutePath(),
            "staithe",
            "")) {
      connection.createStatement().execute("update contract set state = 'sent'");
    }
    try (RunningStorage p = startP()) {
      assertThat(state(p))
          .contains(
              "\"open\":1",
              "\"open-by-peer\":[{\"peer\":\"localhost:"
                  + portOfA
                  + "\",\"open\":1,\"oldest\":\"20");
      assertThat(metrics(p)).contains("staithe_contracts_open 1.0");
    }
  }
}
