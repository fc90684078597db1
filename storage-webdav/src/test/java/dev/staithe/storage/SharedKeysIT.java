package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes, each a process of its own, with one file of keys for the tokens that they give. */
class SharedKeysIT {
  private static final int ROTATIONS = 4;
  private static final Duration ROTATION = Duration.ofHours(1);

  @TempDir Path folder;
  private Path keys;
  private Path jwks;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private StorageProcess one;
  private StorageProcess other;

  @BeforeEach
  void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    jwks = Files.writeString(folder.resolve("jwks.json"), issuer.keySet());
    keys = folder.resolve("shared/keys");
    one = node("one");
    other = node("other");
  }

  private StorageProcess node(String name) throws IOException {
    StorageProcess node =
        StorageProcess.start(
            folder.resolve(name),
            authority,
            issuer,
            Map.of(
                "staithe.tokens.key-file", keys,
                "staithe.tokens.rotation", "1h",
                // Nothing else is to be waited for on a busy machine.
                "staithe.issuers[0].jwks-file", jwks));
    Files.writeString(folder.resolve(name).resolve("data/file"), "grain");
    return node;
  }

  @AfterEach
  void stop() {
    other.close();
    one.close();
    issuer.close();
  }

  private Curl by(String token, StorageProcess node, String path) {
    return Curl.to(node.url(path)).trusting(authority).token(token);
  }

  private String caller() {
    return issuer
        .token()
        .subject("ada")
        .scope("storage.read:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private Curl.Response ask(StorageProcess node) {
    return by(caller(), node, "/data")
        .header("Content-Type", "application/macaroon-request")
        .body("{\"caveats\":[\"activity:DOWNLOAD\"]}")
        .run();
  }

  private String macaroon(StorageProcess node) {
    return given(ask(node), "macaroon");
  }

  private String jwt(StorageProcess node) {
    return given(
        by(caller(), node, "/.staithe/tokens")
            .body("grant_type=client_credentials&scope=storage.read:/data")
            .run(),
        "access_token");
  }

  private static String given(Curl.Response answer, String member) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    try {
      return JSONObjectUtils.getString(JSONObjectUtils.parse(answer.text()), member);
    } catch (ParseException e) {
      throw new AssertionError(answer.text(), e);
    }
  }

  private void isGood(String token, StorageProcess node) {
    Curl.Response answer = by(token, node, "/data/file").run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
  }

  private List<String> lines(String kind) throws IOException {
    return Files.readAllLines(keys).stream().filter(line -> line.startsWith(kind + " ")).toList();
  }

  private int count(String kind) {
    try {
      return lines(kind).size();
    } catch (IOException replacedMeanwhile) {
      return 0;
    }
  }

  /** The newest of each kind is as old as one that is replaced after the time left. */
  private void age(Duration left) throws IOException {
    try (FileChannel alone =
        FileChannel.open(keys.resolveSibling("keys.lock"), StandardOpenOption.WRITE)) {
      alone.lock();
      Instant made = Instant.now().minus(ROTATION).plus(left);
      List<String> aged = new ArrayList<>();
      for (String line : Files.readAllLines(keys)) {
        String[] fields = line.split(" ");
        boolean young =
            !line.startsWith("#") && Instant.parse(fields[2]).isAfter(made.plusSeconds(60));
        aged.add(young ? line.replace(fields[2], made.toString()) : line);
      }
      Path fresh =
          Files.copy(keys, keys.resolveSibling("aged"), StandardCopyOption.COPY_ATTRIBUTES);
      Files.write(fresh, aged);
      Files.move(fresh, keys, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Each token is used at the other node at once: there is no time in which only one knows it. */
  @Test
  void keysThatAreReplacedWhileBothNodesWorkRefuseNothing() throws Exception {
    ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean over = new AtomicBoolean();
    macaroon(one);
    jwt(one);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      StorageProcess giver = i < 2 ? one : other;
      StorageProcess taker = i < 2 ? other : one;
      boolean jwt = i % 2 == 0;
      clients.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (!over.get()) {
                        String token = jwt ? jwt(giver) : macaroon(giver);
                        isGood(token, taker);
                        all.add(token);
                        Trials.held();
                      }
                    } catch (Throwable e) {
                      failures.add(e);
                    }
                  }));
    }
    try {
      for (int i = 0; i < ROTATIONS && failures.isEmpty(); i++) {
        int before = all.size();
        Eventually.holds("work goes on", () -> all.size() > before + 8 || !failures.isEmpty());
        age(Duration.ofSeconds(1));
        int known = lines("macaroon").size() + lines("jwt").size();
        Eventually.holds(
            "both keys are replaced", () -> count("macaroon") + count("jwt") == known + 2);
      }
    } finally {
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
    assertThat(failures).isEmpty();
    assertThat(lines("macaroon")).hasSize(1 + ROTATIONS);
    List<String> some = new ArrayList<>(all);
    for (int i = 0; i < some.size(); i += Math.max(1, some.size() / 40)) {
      isGood(some.get(i), one);
      isGood(some.get(i), other);
    }
  }

  /** Before the new text is written, and when it is and has not its name. */
  @ParameterizedTest
  @CsvSource({"dev.staithe.storage.state.SharedSecretFile, write", "java.nio.file.Files, move"})
  void nodeThatIsKilledWhileItReplacesAKeyTakesNoneAlong(String type, String method)
      throws Exception {
    String old = macaroon(one);
    isGood(old, other);
    age(Duration.ZERO);
    HeldAt held = HeldAt.entering(one, type, method);
    // A node that has just looked at the file does not look again for a second.
    AtomicBoolean over = new AtomicBoolean();
    Thread client =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!over.get()) {
                    catching(() -> ask(one));
                  }
                });
    boolean stands = held.held(60_000);
    over.set(true);
    assertThat(stands).isTrue();
    // The one that stands has the lock of the file.
    isGood(old, other);
    one.process().kill();
    one.process().awaitEnd(Eventually.LONGEST);
    client.join();
    Trials.held();

    // It may have looked at the file just before the key became old.
    AtomicReference<String> newest = new AtomicReference<>();
    Eventually.holds(
        "the other node replaces the key",
        () -> {
          newest.set(macaroon(other));
          return count("macaroon") == 2;
        });
    String fresh = newest.get();
    try (var files = Files.list(keys.getParent())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("keys", "keys.lock", "sealing.key");
    }
    one = node("one");
    for (StorageProcess node : List.of(one, other)) {
      isGood(old, node);
      isGood(fresh, node);
    }
  }

  private static void catching(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | AssertionError killed) {
      // The connection ends with the server.
    }
  }
}
