package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.host.SignedQuote;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.contracts.signature.SignedMessage.Component;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.trust.SoftTpm;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an auditor reads of a statement, with the two public files alone. */
class ContractCommandTests {
  private static final String P = "https://p.example:8443";
  private static final String A = "https://a.example:8443";
  private static final String ID = "0199d8a0-0000-7000-8000-000000000001";
  private static final Instant THEN = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private String logKey = "";

  private ContractKey key(String name) throws Exception {
    Path file = folder.resolve(name + ".pem");
    Pem.writePrivateKey(file, KeyKind.EC_P256.generate().getPrivate());
    ContractKey key = ContractKey.read(file);
    Files.writeString(folder.resolve(name + ".json"), PartyKey.writeSet(List.of(key.publicKey())));
    return key;
  }

  private static MessageSignature sign(SignedMessage message, ContractKey key, Component... covered)
      throws Exception {
    return MessageSignature.sign(
        message,
        key,
        new MessageSignature.Wanted("c", List.of(covered), THEN, Duration.ofMinutes(5), "n", "t"));
  }

  private static Component[] own(String... names) {
    return Stream.of(names).map(Component::of).toArray(Component[]::new);
  }

  @BeforeEach
  void state() throws Exception {
    state(qualifyingData -> Optional.empty());
  }

  private void state(HostProperties.Quoting tpm) throws Exception {
    ContractKey p = key("p");
    ContractKey a = key("a");
    byte[] bytes = {1, 2, 3};
    String contract = new ContractField(ID, "", "").encode();
    Map<String, List<String>> asked = new HashMap<>();
    asked.put("contract", List.of(contract));
    asked.put(
        "host-properties",
        List.of(HostProperties.sign(A, Map.of("jurisdiction", "DE"), a, THEN, tpm).text()));
    MessageSignature request =
        sign(
            SignedMessage.request("GET", P + "/data/f", asked),
            a,
            own("@method", "@target-uri", "contract", "host-properties"));
    asked.put("signature", List.of(request.signatureField()));
    MessageSignature answer =
        sign(
            SignedMessage.answer(
                200,
                Map.of(
                    "contract",
                    List.of(contract),
                    "content-length",
                    List.of("3"),
                    "repr-digest",
                    List.of(ContractAudit.digest(Hash.of(bytes)))),
                SignedMessage.request("GET", P + "/data/f", asked)),
            p,
            Component.of("@status"),
            Component.of("content-length"),
            Component.of("repr-digest"),
            Component.of("contract"),
            Component.ofRequest("@target-uri"),
            Component.ofRequest("signature"));
    String body = new Received(true, 3, Hash.of(bytes), THEN).encode();
    MessageSignature receipt =
        sign(
            SignedMessage.request(
                "POST",
                P + "/.staithe/contracts/" + ID,
                Map.of(
                    "contract",
                    List.of(contract),
                    "content-digest",
                    List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))))),
            a,
            own("@method", "@target-uri", "contract", "content-digest"));
    ContractRecord record =
        new ContractRecord(
            ID,
            P,
            A,
            ContractRecord.Part.of(request),
            ContractRecord.Part.of(answer),
            ContractRecord.Part.of(receipt),
            body);
    LogKey keyOfLog = LogKey.readOrMake(folder.resolve("log.key"), "p.example:8443/.staithe/log");
    TileLog log = TileLog.open(folder.resolve("log"), keyOfLog);
    Statement statement = Statement.sign(P, ID, record.encode(), p, THEN);
    long index = log.append(statement.entry());
    Files.write(
        folder.resolve("statement.cose"),
        statement.logged(log, keyOfLog, index, ID, THEN).encode());
    logKey = keyOfLog.verifier().toString();
  }

  private int staithe(String... arguments) {
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC())
        .setErr(writer)
        .execute(arguments);
  }

  private int verify(String file, String key) {
    return staithe(
        "contract",
        "verify",
        folder.resolve(file).toString(),
        "--keys",
        folder.resolve("p.json").toString(),
        "--keys",
        folder.resolve("a.json").toString(),
        "--log-key",
        key);
  }

  @Test
  void statementIsVerifiedLineByLine() {
    assertThat(verify("statement.cose", logKey)).as(out.toString()).isZero();
    assertThat(out.toString().lines().toList())
        .hasSize(6)
        .allMatch(line -> line.startsWith("good  "))
        .anyMatch(line -> line.contains(A + " asked GET " + P + "/data/f"))
        .anyMatch(line -> line.contains(A + " received 3 bytes"));
  }

  @Test
  void quoteInTheStatementIsPrintedAndOneThatDoesNotFitIsBad() throws Exception {
    try (SoftTpm tpm = SoftTpm.start(folder.resolve("tpm"), SoftTpm.Kind.RSA)) {
      AttestationKey key = AttestationKey.read(tpm.key());
      state(data -> Optional.of(quote(tpm, key, data)));
      assertThat(verify("statement.cose", logKey)).as(out.toString()).isZero();
      assertThat(out.toString().lines().toList())
          .hasSize(7)
          .contains(
              "good  attestation: "
                  + A
                  + " has a quote by the attestation key "
                  + key.id()
                  + " over its contract key and the PCRs sha256:0,7 of digest "
                  + HexFormat.of().formatHex(Hash.of(tpm.pcrs("0,7"))));
      state(data -> Optional.of(quote(tpm, key, Hash.of(data))));
      assertThat(verify("statement.cose", logKey)).isEqualTo(1);
      assertThat(out.toString())
          .contains("BAD   attestation: the quote was made for another contract key");
    }
  }

  private static SignedQuote quote(SoftTpm tpm, AttestationKey key, byte[] qualifyingData) {
    List<byte[]> made = tpm.quote("sha256:0,7", HexFormat.of().formatHex(qualifyingData));
    return new SignedQuote(key, made.getFirst(), made.getLast());
  }

  @Test
  void changedStatementAndForeignLogAreBad() throws Exception {
    byte[] bytes = Files.readAllBytes(folder.resolve("statement.cose"));
    bytes[bytes.length / 2] ^= 1;
    Files.write(folder.resolve("changed.cose"), bytes);
    assertThat(verify("changed.cose", logKey)).isEqualTo(1);
    assertThat(out.toString()).contains("BAD   ");
    String other =
        LogKey.readOrMake(folder.resolve("other.key"), "p.example:8443/.staithe/log")
            .verifier()
            .toString();
    assertThat(verify("statement.cose", other)).isEqualTo(1);
    assertThat(out.toString()).contains("BAD   log: the receipt is not by the log's key");
    assertThat(verify("statement.cose", "nonsense")).isEqualTo(1);
    assertThat(out.toString()).contains("--log-key: no key of a log");
    assertThat(verify("absent.cose", logKey)).isEqualTo(1);
    assertThat(out.toString()).contains("cannot be read");
  }

  private TileLog log(String name) throws Exception {
    return TileLog.open(
        folder.resolve(name),
        LogKey.readOrMake(folder.resolve("log.key"), "p.example:8443/.staithe/log"));
  }

  private String withCopy(String name) {
    out.getBuffer().setLength(0);
    int status =
        staithe(
            "contract",
            "verify",
            folder.resolve("statement.cose").toString(),
            "--keys",
            folder.resolve("p.json").toString(),
            "--keys",
            folder.resolve("a.json").toString(),
            "--log-key",
            logKey,
            "--log",
            folder.resolve(name).toString());
    assertThat(status).as(out.toString()).isEqualTo(out.toString().contains("BAD   ") ? 1 : 0);
    return out.toString().lines().toList().getLast();
  }

  private static void changed(Path file, int at) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void copyOfTheLogThatWasCutForkedOrChangedIsBad() throws Exception {
    assertThat(withCopy("log"))
        .startsWith("good  copy of the log: its 1 entries begin with the 1 ");
    TileLog log = log("log");
    // Together, as they wait for the disk together.
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i < 600; i++) {
        byte[] entry = Hash.of(new byte[] {(byte) i, (byte) (i >> 8)});
        all.submit(() -> log.append(entry));
      }
    }
    assertThat(withCopy("log")).startsWith("good  copy of the log: its 600 entries begin with");
    for (String path :
        List.of("checkpoint", "tile/0/000", "tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2")) {
      Path file = folder.resolve("served").resolve(path);
      Files.createDirectories(file.getParent());
      Files.write(file, log.served(path).orElseThrow());
    }
    assertThat(withCopy("served")).startsWith("good  copy of the log: its 600 entries begin with");

    for (String tile : List.of("tile/0/001", "tile/0/002.p/88", "tile/1/000.p/2")) {
      changed(folder.resolve("served").resolve(tile), 40);
      assertThat(withCopy("served"))
          .as(tile)
          .isEqualTo(
              "BAD   copy of the log: a tile of it was changed: they are not those of its"
                  + " checkpoint");
      changed(folder.resolve("served").resolve(tile), 40);
    }
    Files.delete(folder.resolve("served/tile/0/001"));
    assertThat(withCopy("served")).endsWith("it cannot be read: tile/0/001 is missing");
    changed(folder.resolve("served/checkpoint"), 40);
    assertThat(withCopy("served")).contains("BAD   copy of the log: the checkpoint is ");

    Path cut = Files.createDirectories(folder.resolve("cut"));
    Files.write(cut.resolve("checkpoint"), log("empty").served("checkpoint").orElseThrow());
    assertThat(withCopy("cut"))
        .isEqualTo("BAD   copy of the log: it has 0 entries, and had 1 when it gave the receipt");
    TileLog fork = log("fork");
    for (int i = 1; i < 4; i++) {
      fork.append(Hash.of(new byte[] {(byte) i}));
    }
    assertThat(withCopy("fork"))
        .isEqualTo(
            "BAD   copy of the log: it does not begin with the 1 entries that it had when it gave"
                + " the receipt");
    assertThat(withCopy("none")).startsWith("BAD   copy of the log: there is no checkpoint in ");
  }
}
