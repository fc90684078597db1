package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.LogVerifier;
import dev.staithe.contracts.PartyKey;
import dev.staithe.peers.ManagedProcess;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.KeptContracts;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills sender and receiver of contracts, as processes, in each state of theirs. {@code
 * -Dstaithe.long=true} does it at each step, fifty times; a few rounds hold in any case.
 */
class ContractKillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 50 : 4;
  private static final int COPIES = 3;
  private static final String CONTRACTS = "dev.staithe.storage.contracts.";
  private static final String JOURNAL = "dev.staithe.storage.state.Journal";
  private static final String TABLE = CONTRACTS + "ContractTable";
  private static final String FOLDER = "dev.staithe.contracts.StatementFolder";

  /**
   * Where a process is killed.
   *
   * @param receiver whether it is the receiver that is held there
   * @param state that the contract is in there, and on the other side
   */
  private record Point(boolean receiver, String type, String method, String state) {}

  /** The first four have each side in each of its states; the others are between two steps. */
  private static final List<Point> OF_PULLS =
      List.of(
          new Point(false, CONTRACTS + "ContractStore", "move", "sending, and agreed"),
          new Point(true, CONTRACTS + "Acknowledging", "logged", "verified, and sent"),
          new Point(false, JOURNAL, "force", "received, and logged"),
          new Point(true, "dev.staithe.storage.posix.PosixUpload", "commit", "acknowledged"),
          new Point(true, CONTRACTS + "PullContract", "verified", "agreed, all bytes there"),
          new Point(true, CONTRACTS + "Acknowledging", "acknowledge", "logged"),
          new Point(false, CONTRACTS + "ReceiptDoor", "take", "sent, receipt there"),
          new Point(false, CONTRACTS + "ContractStore", "add", "offered"),
          new Point(false, CONTRACTS + "ContractStore", "conclude", "sent, in the log"),
          new Point(true, CONTRACTS + "ContractStore", "add", "answered"),
          new Point(true, "dev.staithe.contracts.Statement", "logged", "verified, in the log"),
          new Point(true, CONTRACTS + "Acknowledging", "judge", "logged, told"),
          new Point(false, TABLE, "write", "received, to be written"),
          new Point(true, TABLE, "write", "acknowledged, to be written"),
          new Point(false, FOLDER, "keep", "received, written"),
          new Point(true, FOLDER, "keep", "acknowledged, written"));

  /** The same of pushes. */
  private static final List<Point> OF_PUSHES =
      List.of(
          new Point(true, CONTRACTS + "ContractedPut$Delivery", "staged", "agreed, and sending"),
          new Point(true, CONTRACTS + "Acknowledging", "logged", "verified, and sending"),
          new Point(false, JOURNAL, "force", "received, and logged"),
          new Point(true, "dev.staithe.storage.posix.PosixUpload", "commit", "acknowledged"),
          new Point(false, CONTRACTS + "PushContract", "taken", "received, file named"),
          new Point(true, CONTRACTS + "ContractedPut$Delivery", "complete", "all bytes there"),
          new Point(true, CONTRACTS + "Acknowledging", "acknowledge", "logged"),
          new Point(false, CONTRACTS + "ReceiptDoor", "take", "sending, receipt there"),
          new Point(false, CONTRACTS + "PushContract", "deliver", "offered"),
          new Point(false, CONTRACTS + "ContractStore", "add", "offered, and agreed"),
          new Point(true, CONTRACTS + "ContractStore", "add", "brought"),
          new Point(false, CONTRACTS + "ContractStore", "conclude", "sending, in the log"),
          new Point(true, "dev.staithe.contracts.Statement", "logged", "verified, in the log"),
          new Point(true, CONTRACTS + "Acknowledging", "judge", "logged, told"),
          new Point(false, TABLE, "write", "received, to be written"),
          new Point(true, TABLE, "write", "acknowledged, to be written"),
          new Point(false, FOLDER, "keep", "received, written"),
          new Point(true, FOLDER, "keep", "acknowledged, written"));

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();
  private final byte[] content = new byte[1_500_000];
  private final Set<String> succeeded = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void prepare() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    new Random(3).nextBytes(content);
    Files.createDirectories(folder.resolve("p/data"));
    Files.write(folder.resolve("p/data/file"), content);
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private StorageProcess start(boolean receiver) {
    String name = receiver ? "a" : "p";
    int port = receiver ? portOfA : portOfP;
    try {
      Path key = folder.resolve(name + "-contract.pem");
      if (!Files.exists(key)) {
        Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
      }
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.put("server.port", port);
      settings.put("staithe.contracts.origin", "https://localhost:" + port);
      settings.put("staithe.contracts.key", key);
      settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
      settings.put("staithe.areas[0].contracts.mode", "require");
      settings.put(
          "staithe.areas[0].contracts.hosts", "localhost:" + (receiver ? portOfP : portOfA));
      return StorageProcess.start(folder.resolve(name), authority, issuer, settings);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Both sides, of which either may be dead. */
  private final class Both implements AutoCloseable {
    private StorageProcess p;
    private StorageProcess a;

    void start() {
      CompletableFuture<StorageProcess> other =
          CompletableFuture.supplyAsync(() -> alive(p) ? p : ContractKillIT.this.start(false));
      a = alive(a) ? a : ContractKillIT.this.start(true);
      p = other.join();
    }

    private static boolean alive(StorageProcess process) {
      return process != null && process.process().isAlive();
    }

    void kill(boolean receiver) {
      ManagedProcess process = (receiver ? a : p).process();
      process.kill();
      process.awaitEnd(Eventually.LONGEST);
    }

    @Override
    public void close() {
      a.close();
      p.close();
    }
  }

  @Test
  void whereverASideIsKilledNoContractIsLostAndNoneCountsTwice() throws Exception {
    strikeAndJudge(OF_PULLS);
  }

  @Test
  void whereverASideOfAPushIsKilledNoContractIsLostAndNoneCountsTwice() throws Exception {
    strikeAndJudge(OF_PUSHES);
  }

  private void strikeAndJudge(List<Point> points) throws Exception {
    Set<String> struck = new TreeSet<>();
    int held = 0;
    try (Both both = new Both()) {
      for (int round = 0; round < ROUNDS; round++) {
        both.start();
        Eventually.holds("all of before is told", () -> untold(both.a) == 0);
        Point point = points.get(round % points.size());
        if (strike(both, round, points)) {
          struck.add(point.state());
          held++;
        }
        if (!Both.alive(both.a)) {
          nothingIsNamedWithoutItsReceipt();
        }
      }
      both.start();
      Eventually.holds("all is told", () -> untold(both.a) == 0);
      judge(both);
    }
    assertThat(struck)
        .as("states in which a side was killed")
        .hasSize(Math.min(ROUNDS, points.size()));
    Trials.held(held);
  }

  /** Some copies at once, of which one comes to the point; then one side or both are killed. */
  private boolean strike(Both both, int round, List<Point> points) throws Exception {
    Point point = points.get(round % points.size());
    List<Thread> copies = new ArrayList<>();
    boolean there;
    String token =
        issuer
            .token()
            .scope("storage.read:/ storage.modify:/")
            .audience(RunningStorage.AUDIENCE)
            .sign();
    try (Client client = new Client(authority, token)) {
      HeldAt held =
          HeldAt.entering(point.receiver() ? both.a : both.p, point.type(), point.method());
      for (int i = 0; i < COPIES; i++) {
        String name = "r" + round + "-" + i;
        copies.add(Thread.ofVirtual().start(() -> copy(client, both, name, points == OF_PUSHES)));
      }
      there = held.held(20_000);
      both.kill(point.receiver());
      if (round < points.size()) {
        both.kill(!point.receiver());
      }
    }
    for (Thread copy : copies) {
      copy.join();
    }
    return there;
  }

  private void copy(Client client, Both both, String name, boolean push) {
    String from = both.p.url("/data/file");
    String to = both.a.url("/data/" + name);
    try {
      Client.Answer answer = push ? client.push(from, to) : client.pull(to, from);
      if (answer.text().endsWith("success: Created\n") || answer.status() == 201) {
        succeeded.add(name);
      }
    } catch (IOException killed) {
      // Nothing is known of it then.
    }
  }

  private double untold(StorageProcess process) {
    return Curl.to(process.url("/.staithe/metrics"))
        .trusting(authority)
        .run()
        .text()
        .lines()
        .filter(line -> line.startsWith("staithe_contracts_untold"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  private Map<String, KeptContracts.Row> rows(String name) {
    return KeptContracts.left(folder.resolve(name + "-contracts")).stream()
        .collect(Collectors.toMap(KeptContracts.Row::id, row -> row));
  }

  /** As the receiver was when it was killed: what is told later does not excuse it. */
  private void nothingIsNamedWithoutItsReceipt() throws Exception {
    Set<String> acknowledged =
        rows("a").values().stream()
            .filter(row -> row.state().equals("acknowledged"))
            .map(KeptContracts.Row::path)
            .collect(Collectors.toSet());
    for (Path file : files()) {
      assertThat(acknowledged).as("has its receipt").contains("/" + file.getFileName());
    }
  }

  private void judge(Both both) throws Exception {
    Map<String, PartyKey> keys = new HashMap<>();
    for (StorageProcess each : List.of(both.p, both.a)) {
      keys.putAll(
          PartyKey.readSet(
              Curl.to(each.url("/.well-known/jwks.json")).trusting(authority).run().text()));
    }
    String host = Curl.to(both.p.url("/.well-known/staithe-host")).trusting(authority).run().text();
    LogVerifier log =
        LogVerifier.parse(
            host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/"));
    both.close();

    Map<String, KeptContracts.Row> receiver = rows("a");
    Map<String, KeptContracts.Row> sender = rows("p");
    Set<String> acknowledged = new TreeSet<>();
    assertThat(sender.keySet()).as("what the receiver knows").containsAll(receiver.keySet());
    for (Map.Entry<String, KeptContracts.Row> entry : receiver.entrySet()) {
      KeptContracts.Row theirs = sender.get(entry.getKey());
      switch (entry.getValue().state()) {
        case "acknowledged" -> {
          assertThat(theirs.state()).isEqualTo("received");
          assertThat(entry.getValue().partner()).isEqualTo(theirs.own());
          assertThat(new ContractAudit(keys, log).run(theirs.own()))
              .allMatch(ContractAudit.Finding::good);
          acknowledged.add(entry.getValue().path());
        }
        case "refused" -> assertThat(theirs.state()).isEqualTo("refused");
        default -> throw new AssertionError(entry.getKey() + " is " + entry.getValue().state());
      }
    }
    for (Map.Entry<String, KeptContracts.Row> entry : sender.entrySet()) {
      if (!receiver.containsKey(entry.getKey())) {
        assertThat(entry.getValue().state())
            .as("one whose answer the receiver had not read when it was killed")
            .isIn("broken", "sent");
      }
    }
    assertThat(KeptContracts.statements(folder.resolve("p-contracts")))
        .as("one statement of each")
        .hasSameSizeAs(concluded(sender))
        .containsAll(concluded(sender));
    for (Path file : files()) {
      assertThat(file).hasBinaryContent(content);
      assertThat(acknowledged).as("has its receipt").contains("/" + file.getFileName());
    }
    assertThat(files().stream().map(file -> file.getFileName().toString())).containsAll(succeeded);
  }

  private static List<byte[]> concluded(Map<String, KeptContracts.Row> rows) {
    return rows.values().stream()
        .map(KeptContracts.Row::own)
        .filter(own -> own != null && own.length > 0)
        .toList();
  }

  private List<Path> files() throws IOException {
    try (var files = Files.list(folder.resolve("a/data"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
