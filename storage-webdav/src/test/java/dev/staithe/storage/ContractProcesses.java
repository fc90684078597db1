package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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
import java.util.stream.Stream;

/**
 * Sender {@code p} and receiver {@code a} of contracts as two processes, of which either may end
 * and is started again, and what must hold of both in the end. For one thread, but {@link #pull}.
 */
final class ContractProcesses implements AutoCloseable {
  private final Path folder;
  private final Map<String, Object> more;
  private final ThrowAwayAuthority authority;
  private final TokenIssuer issuer;
  private final int portOfP = FreePort.next();
  private final int portOfA = FreePort.next();
  private final byte[] content = new byte[1_500_000];

  /** Files of which a copy was told that it succeeded. */
  private final Set<String> succeeded = ConcurrentHashMap.newKeySet();

  private StorageProcess p;
  private StorageProcess a;

  /**
   * Starts none yet.
   *
   * @param more settings of both
   */
  ContractProcesses(Path folder, Map<String, Object> more) throws IOException {
    this.folder = folder;
    this.more = Map.copyOf(more);
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    new Random(3).nextBytes(content);
    Files.createDirectories(folder.resolve("p/data"));
    Files.write(folder.resolve("p/data/file"), content);
    for (String name : List.of("p", "a")) {
      Pem.writePrivateKey(key(name), KeyKind.EC_P256.generate().getPrivate());
    }
  }

  private Path key(String name) {
    return folder.resolve(name + "-contract.pem");
  }

  /** Starts those that do not run. */
  void start() {
    CompletableFuture<StorageProcess> other =
        CompletableFuture.supplyAsync(() -> alive(p) ? p : start(false));
    a = alive(a) ? a : start(true);
    p = other.join();
  }

  private static boolean alive(StorageProcess process) {
    return process != null && process.process().isAlive();
  }

  private StorageProcess start(boolean receiver) {
    String name = receiver ? "a" : "p";
    int port = receiver ? portOfA : portOfP;
    Map<String, Object> settings = new LinkedHashMap<>(more);
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key(name));
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + (receiver ? portOfP : portOfA));
    try {
      return StorageProcess.start(folder.resolve(name), authority, issuer, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that was started. */
  ManagedProcess process(boolean receiver) {
    return (receiver ? a : p).process();
  }

  /** From now on one of them stops where it enters that method. */
  HeldAt entering(boolean receiver, String type, String method)
      throws IOException, InterruptedException {
    return HeldAt.entering(receiver ? a : p, type, method);
  }

  /** Ends one as {@code kill -9} does. */
  void kill(boolean receiver) {
    process(receiver).kill();
    process(receiver).awaitEnd(Eventually.LONGEST);
  }

  /** A client whose token is good for copies at both. */
  Client client() {
    return new Client(
        authority,
        issuer
            .token()
            .scope("storage.read:/ storage.modify:/")
            .audience(RunningStorage.AUDIENCE)
            .sign());
  }

  /** Has the receiver pull the file; whether it said that it succeeded. */
  boolean pull(Client client, String name, int streams) {
    return succeeds(name, () -> client.pull(copy(name), file(), streams));
  }

  /** Has the sender push the file; whether it said that it succeeded. */
  boolean push(Client client, String name) {
    return succeeds(name, () -> client.push(file(), copy(name)));
  }

  private String file() {
    return "https://localhost:" + portOfP + "/data/file";
  }

  private String copy(String name) {
    return "https://localhost:" + portOfA + "/data/" + name;
  }

  private boolean succeeds(String name, Copy copy) {
    try {
      Client.Answer answer = copy.ask();
      if (answer.text().endsWith("success: Created\n") || answer.status() == 201) {
        succeeded.add(name);
        return true;
      }
    } catch (IOException ended) {
      // Nothing is known of it then.
    }
    return false;
  }

  private interface Copy {
    Client.Answer ask() throws IOException;
  }

  /** Waits until the receiver has told everything of before. */
  void awaitAllTold() {
    Eventually.holds("all is told", () -> untold() == 0);
  }

  private double untold() {
    return text(a, "/.staithe/metrics")
        .lines()
        .filter(line -> line.startsWith("staithe_contracts_untold"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  private String text(StorageProcess of, String path) {
    return Curl.to(of.url(path)).trusting(authority).run().text();
  }

  /** What one of them that has ended, or was killed, keeps of its contracts. */
  Map<String, KeptContracts.Row> rows(boolean receiver) {
    return KeptContracts.left(state(receiver)).stream()
        .collect(Collectors.toMap(KeptContracts.Row::id, row -> row));
  }

  /** The folder of one's contracts. */
  Path state(boolean receiver) {
    return folder.resolve((receiver ? "a" : "p") + "-contracts");
  }

  /** As the receiver, which has ended, was then: what is told later does not excuse it. */
  void nothingIsNamedWithoutItsReceipt() throws IOException {
    Set<String> acknowledged =
        rows(true).values().stream()
            .filter(row -> row.state().equals("acknowledged"))
            .map(KeptContracts.Row::path)
            .collect(Collectors.toSet());
    for (Path file : files()) {
      assertThat(acknowledged).as("has its receipt").contains("/" + file.getFileName());
      assertThat(file).hasBinaryContent(content);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("a/data"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /**
   * Ends both once all is told, and compares what they keep: no contract is lost, each that the
   * receiver has an end of has the same at the sender, with one statement, and each file its own.
   *
   * @param unread what a contract may be at the sender whose answer the receiver had not read when
   *     it ended
   */
  void endAndJudge(String... unread) throws Exception {
    start();
    awaitAllTold();
    Map<String, PartyKey> keys = new HashMap<>();
    keys.putAll(PartyKey.readSet(text(p, "/.well-known/jwks.json")));
    keys.putAll(PartyKey.readSet(text(a, "/.well-known/jwks.json")));
    LogVerifier log =
        LogVerifier.parse(
            text(p, "/.well-known/staithe-host")
                .replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1")
                .replace("\\/", "/"));
    a.close();
    p.close();

    Map<String, KeptContracts.Row> receiver = rows(true);
    Map<String, KeptContracts.Row> sender = rows(false);
    assertThat(sender.keySet()).as("what the receiver knows").containsAll(receiver.keySet());
    Set<String> acknowledged = new TreeSet<>();
    for (KeptContracts.Row row : receiver.values()) {
      KeptContracts.Row theirs = sender.get(row.id());
      switch (row.state()) {
        case "acknowledged" -> {
          assertThat(theirs.state()).isEqualTo("received");
          assertThat(row.partner()).isEqualTo(theirs.own());
          assertThat(new ContractAudit(keys, log).run(theirs.own()))
              .allMatch(ContractAudit.Finding::good);
          assertThat(acknowledged.add(row.path())).as("once for %s", row.path()).isTrue();
        }
        case "refused" -> assertThat(theirs.state()).isEqualTo("refused");
        default -> throw new AssertionError(row.id() + " is " + row.state());
      }
    }
    for (KeptContracts.Row row : sender.values()) {
      if (!receiver.containsKey(row.id())) {
        assertThat(row.state()).as("its answer was not read").isIn((Object[]) unread);
      }
    }
    List<byte[]> concluded =
        sender.values().stream()
            .map(KeptContracts.Row::own)
            .filter(own -> own != null && own.length > 0)
            .toList();
    assertThat(KeptContracts.statements(state(false)))
        .as("one statement of each")
        .hasSameSizeAs(concluded)
        .containsAll(concluded);
    nothingIsNamedWithoutItsReceipt();
    assertThat(files().stream().map(file -> file.getFileName().toString())).containsAll(succeeded);
  }

  @Override
  public void close() {
    for (StorageProcess each : new StorageProcess[] {a, p}) {
      if (each != null) {
        each.close();
      }
    }
    issuer.close();
  }
}
