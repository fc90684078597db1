package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.pull;
import static dev.staithe.storage.ContractPair.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.SoftTpm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contracts with a host whose TPM quotes for it: {@code s} has the file and knows the attestation
 * key of {@code r}, which receives.
 */
@SuppressWarnings("try")
final class ContractAttestationIT {
  private static final String AREA = "staithe.areas[0].contracts.";

  @TempDir private Path folder;
  private ContractPair pair;
  private SoftTpm tpm;
  private SoftTpm another;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
    tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.ECC);
    another = SoftTpm.start(folder.resolve("another"), SoftTpm.Kind.RSA);
  }

  @AfterEach
  void finish() {
    tpm.close();
    another.close();
    pair.close();
  }

  private Map<String, Object> attested(Object... more) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(AREA + "attested[0].host", host(pair.portOfR));
    settings.put(AREA + "attested[0].key", tpm.key());
    for (int i = 0; i < more.length; i += 2) {
      settings.put(AREA + "attested[0]." + more[i], more[i + 1]);
    }
    return settings;
  }

  private static Map<String, Object> by(SoftTpm tpm, String pcrs) {
    return new HashMap<>(
        Map.of(
            "staithe.contracts.tpm.key",
            SoftTpm.HANDLE,
            "staithe.contracts.tpm.pcrs",
            pcrs,
            "staithe.contracts.tpm.tcti",
            tpm.tcti(),
            "staithe.copy.striped-from",
            "1B"));
  }

  private static String digest(SoftTpm tpm, String pcrs) {
    return HexFormat.of().formatHex(Hash.of(tpm.pcrs(pcrs)));
  }

  @Test
  void attestedHostGetsTheFileByEachWayAndTheStatementSaysWhatItsTpmQuoted() throws Exception {
    tpm.extend(7, "ab".repeat(32));
    String digest = digest(tpm, "0,7");
    String key = AttestationKey.read(tpm.key()).id();
    try (RunningStorage s = pair.startS(attested("pcrs", "0,7", "pcr-digest", digest));
        RunningStorage r = pair.startR(by(tpm, "7,0"))) {
      pull(r, pair.atS("/data/file"), "/data/one", 1).succeeded(ContractPair.SIZE);
      pull(r, pair.atS("/data/file"), "/data/several", 3).succeeded(ContractPair.SIZE);
      push(s, pair.atR("/data/pushed")).succeeded(ContractPair.SIZE);
      for (String name : List.of("one", "several", "pushed")) {
        assertThat(r.data().resolve(name)).hasBinaryContent(pair.content);
      }
      assertThat(pair.rows("s")).hasSize(3).allMatch(row -> row.state().equals("received"));
      for (KeptContracts.Row row : pair.rows("s")) {
        assertThat(ContractPair.audit(s, r, s, row.own()))
            .allMatch(ContractAudit.Finding::good)
            .anyMatch(
                f ->
                    f.line().startsWith("attestation: https://" + host(pair.portOfR))
                        && f.line().contains(key)
                        && f.line().endsWith("sha256:0,7 of digest " + digest));
      }
    }
  }

  /** Each way that leads out of {@code s}, refused with that in the line. */
  private void refused(RunningStorage s, RunningStorage r, String why) {
    assertThat(pull(r, pair.atS("/data/file"), "/data/one", 1).last()).contains(why);
    assertThat(pull(r, pair.atS("/data/file"), "/data/several", 3).last()).contains(why);
    assertThat(push(s, pair.atR("/data/pushed")).last()).contains(why);
    for (String name : List.of("one", "several", "pushed")) {
      assertThat(r.data().resolve(name)).doesNotExist();
    }
  }

  /** A head with contracts, and the node {@code n} to which it sends readers on. */
  private RunningStorage startHead(int portOfN, Path tickets) {
    Map<String, Object> settings = attested();
    settings.put("staithe.redirect.key-file", tickets);
    settings.put("staithe.redirect.nodes", "https://" + host(portOfN));
    settings.put("staithe.redirect.from-size", "100KB");
    settings.put("staithe.redirect.check-interval", "1s");
    RunningStorage head = pair.startS(settings);
    Eventually.holds(
        "the head sends clients on",
        () -> head.curl("/data/file").token(head.token()).run().status() == 307);
    return head;
  }

  @Test
  void dataNodeTakesNoTicketOfAnAreaWithAttestationUnlessItWantsItToo() throws Exception {
    int portOfN = FreePort.next();
    Pem.writePrivateKey(pair.key("n"), KeyKind.EC_P256.generate().getPrivate());
    Path tickets =
        Files.createFile(
            folder.resolve("tickets"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(tickets, "6b6579".repeat(12));
    Map<String, Object> node = new HashMap<>();
    node.put("staithe.areas[0].root", folder.resolve("s/data"));
    node.put("staithe.redirect.key-file", tickets);
    Map<String, Object> receiver = by(tpm, "0,7");
    receiver.put(AREA + "hosts", host(pair.portOfS) + "," + host(portOfN));
    Map<String, Object> without =
        new HashMap<>(Map.of(AREA + "hosts", receiver.get(AREA + "hosts")));
    try (RunningStorage n = pair.start("n", portOfN, pair.portOfR, node);
        RunningStorage s = startHead(portOfN, tickets);
        RunningStorage r = pair.startR(receiver)) {
      assertThat(pull(r, pair.atS("/data/file"), "/data/out", 1).last())
          .contains("go to attested hosts only, and this node knows none");
      assertThat(pair.rows("n")).isEmpty();
    }
    node.putAll(attested());
    try (RunningStorage n = pair.start("n", portOfN, pair.portOfR, node);
        RunningStorage s = startHead(portOfN, tickets)) {
      try (RunningStorage r = pair.startR(without)) {
        assertThat(pull(r, pair.atS("/data/file"), "/data/out", 1).last())
            .contains(wanted() + ", offered none");
        assertThat(r.data().resolve("out")).doesNotExist();
      }
      try (RunningStorage r = pair.startR(receiver)) {
        pull(r, pair.atS("/data/file"), "/data/out", 1).succeeded(ContractPair.SIZE);
      }
      assertThat(pair.rows("n")).hasSize(1).allMatch(row -> row.state().equals("received"));
    }
  }

  @Test
  void personCannotBeAttestedAndIsToldSo() throws Exception {
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Map<String, Object> settings = attested();
    settings.put("staithe.client-certificates.trust", grid.trust());
    settings.put(AREA + "people.trust", grid.trust());
    try (RunningStorage s = pair.startS(settings)) {
      String token = s.token();
      Curl get = s.curl("/data/file").token(token);
      PersonContract.of(
              s.url("/data/file"),
              s.url(""),
              PersonSigner.byCertificate(
                  Credential.read(ada.certificate(), ada.key()),
                  Map.of("jurisdiction", "DE"),
                  Clock.systemUTC()))
          .ask("", "Bearer " + token)
          .forEach(get::header);
      Curl.Response answer = get.run();
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.text())
          .contains(
              "attestation: wanted a quote by the TPM of a host that the area names, offered none:"
                  + " a person cannot be attested")
          .contains("\"wanted\":[\"attestation\"]");
      Curl.Response plain = s.curl("/data/file").token(token).run();
      assertThat(plain.status()).isEqualTo(403);
      assertThat(plain.text()).contains("leave by contract only");
      assertThat(pair.rows("s")).isEmpty();
    }
  }

  /** OwnTpmTests has the same with a list that was signed before. */
  @Test
  void hostWhoseTpmStopsGoesOnWithoutAQuoteAndSaysSo() throws Exception {
    Map<String, Object> settings = by(tpm, "0,7");
    settings.put("staithe.metrics.allow-from", "127.0.0.0/8");
    try (RunningStorage r = pair.startR(settings)) {
      assertThat(r.curl("/.staithe/health/tpm").run().text())
          .contains("\"UP\"", AttestationKey.read(tpm.key()).id());
      tpm.stop();
      // Only now is there anybody for whom a list is signed.
      try (RunningStorage s = pair.startS(attested())) {
        assertThat(pull(r, pair.atS("/data/file"), "/data/one", 1).last())
            .contains(wanted() + ", offered none");
      }
      try (RunningStorage s = pair.startS(Map.of())) {
        pull(r, pair.atS("/data/file"), "/data/one", 1).succeeded(ContractPair.SIZE);
      }
      assertThat(r.curl("/.staithe/health/tpm").run().text())
          .contains("\"DEGRADED\"", "tpm2_quote ended with ");
      assertThat(r.curl("/.staithe/health/readiness").run().status()).isEqualTo(200);
    }
  }

  private String wanted() {
    return "attestation: wanted a quote by the TPM of host " + host(pair.portOfR);
  }

  @Test
  void hostWithoutTheQuoteThatTheAreaWantsIsRefusedEachWayWithTheReason() throws Exception {
    String mine = AttestationKey.read(tpm.key()).id();
    String other = AttestationKey.read(another.key()).id();
    String digest = digest(tpm, "0,7");
    try (RunningStorage s = pair.startS(attested("pcrs", "0,7", "pcr-digest", digest))) {
      Map<String, Object> without = by(tpm, "0,7");
      without.keySet().removeIf(name -> name.startsWith("staithe.contracts.tpm"));
      try (RunningStorage r = pair.startR(without)) {
        refused(s, r, wanted() + ", offered none");
      }
      try (RunningStorage r = pair.startR(by(another, "0,7"))) {
        refused(
            s,
            r,
            wanted()
                + ", whose attestation key is "
                + mine
                + ", offered one by the attestation key "
                + other);
      }
      try (RunningStorage r = pair.startR(by(tpm, "0"))) {
        refused(s, r, wanted() + " over PCRs sha256:0,7, offered one over sha256:0");
      }
      tpm.extend(7, "ab".repeat(32));
      try (RunningStorage r = pair.startR(by(tpm, "0,7"))) {
        refused(
            s,
            r,
            wanted()
                + " with PCR digest "
                + digest
                + ", offered one with PCR digest "
                + digest(tpm, "0,7"));
      }
      assertThat(pair.rows("s")).isEmpty();
      // A pull by several streams asks by HEAD, and then by GET for all of it.
      assertThat(s.curl("/.staithe/contracts/state").run().text())
          .contains("\"property attestation\":16");
    }
  }
}
