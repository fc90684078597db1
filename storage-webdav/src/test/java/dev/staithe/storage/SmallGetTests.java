package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection.Answer;
import dev.staithe.storage.dav.SmallGet;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small file is given on the thread that read the request where that waits for nothing. Whoever
 * asks cannot tell: a field that nobody knows has the same request answered in the usual way.
 */
class SmallGetTests {
  private static final String NOBODY_KNOWS = "X-Nobody-Knows: this";

  @TempDir static Path folder;
  private static RunningStorage storage;
  private static SmallGet at;

  @BeforeAll
  static void start() {
    storage = RunningStorage.shared();
    at = storage.context().getBean(SmallGet.class);
  }

  private static Path file(String name, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    Path written = Files.write(folder.resolve("content"), content);
    assertThat(storage.curl("/data/" + name).token(storage.token()).upload(written).run().status())
        .isIn(201, 204);
    return storage.data().resolve(name);
  }

  private static String request(String path, String token, String... fields) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n"
        .formatted(
            path,
            token,
            Stream.of(fields).map(field -> field + "\r\n").collect(Collectors.joining()));
  }

  private static Answer ask(String path, String token, String... fields) throws IOException {
    try (RawConnection connection = RawConnection.to(storage)) {
      return connection.send(request(path, token, fields)).answer();
    }
  }

  private static Answer askHead(String path, String token, String... fields) throws IOException {
    try (RawConnection connection = RawConnection.to(storage)) {
      return connection.send(request(path, token, fields).replaceFirst("GET", "HEAD")).head();
    }
  }

  private static void send(RawConnection connection, String text) {
    try {
      connection.send(text);
    } catch (IOException brokenOff) {
      // at the end of the test
    }
  }

  /** What an answer says beside when it was given, and to which request. */
  private static Map<String, String> lasting(Answer answer) {
    var fields = new TreeMap<>(answer.headers());
    fields.remove("date");
    fields.remove("x-request-id");
    return fields;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 1024, 16 * 1024})
  void answerIsThatOfTheUsualWay(int length) throws IOException {
    String path = "/data/small-" + length + ".txt";
    file("small-" + length + ".txt", length);
    String token = storage.token();
    Answer usual = ask(path, token, NOBODY_KNOWS);
    long before = at.answered();
    Answer atOnce = ask(path, token);
    assertThat(at.answered()).isEqualTo(before + 1);
    assertThat(atOnce.status()).isEqualTo(200).isEqualTo(usual.status());
    assertThat(lasting(atOnce)).isEqualTo(lasting(usual)).containsKey("digest");
    assertThat(atOnce.content()).isEqualTo(usual.content()).hasSize(length);
    assertThat(atOnce.header("X-Request-Id")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1024, 16 * 1024 + 1})
  void headIsAnsweredAsInTheUsualWayHoweverLongTheFileIs(int length) throws IOException {
    String path = "/data/asked-" + length + ".txt";
    file("asked-" + length + ".txt", length);
    String token = storage.token();
    Answer usual = askHead(path, token, NOBODY_KNOWS);
    long before = at.answered();
    Answer atOnce = askHead(path, token);
    assertThat(at.answered()).isEqualTo(before + 1);
    assertThat(atOnce.status()).isEqualTo(200).isEqualTo(usual.status());
    assertThat(lasting(atOnce))
        .isEqualTo(lasting(usual))
        .containsKey("digest")
        .containsEntry("content-length", Integer.toString(length));
  }

  /** Whoever may see what there is, and may not read it. */
  @Test
  void headTakesTheRightThatItTakesInTheUsualWay() throws IOException {
    file("seen.txt", 100);
    String create = storage.token("storage.create:/");
    Answer usual = askHead("/data/seen.txt", create, NOBODY_KNOWS);
    long before = at.answered();
    Answer atOnce = askHead("/data/seen.txt", create);
    assertThat(at.answered()).isEqualTo(before + 1);
    assertThat(atOnce.status()).isEqualTo(200).isEqualTo(usual.status());
    assertThat(lasting(atOnce)).isEqualTo(lasting(usual));

    assertThat(ask("/data/seen.txt", create).status()).isEqualTo(403);
    String elsewhere = storage.token("storage.read:/elsewhere");
    assertThat(askHead("/data/seen.txt", elsewhere, NOBODY_KNOWS).status()).isEqualTo(403);
    assertThat(askHead("/data/seen.txt", elsewhere).status()).isEqualTo(403);
    assertThat(at.answered()).isEqualTo(before + 1);
  }

  /** All that is not as plain goes the usual way, and is answered as it always was. */
  @Test
  void whatHasToBeLookedIntoIsNotAnsweredAtOnce() throws IOException {
    file("plain.txt", 100);
    file("large.txt", 16 * 1024 + 1);
    String token = storage.token();
    assertThat(ask("/data/plain.txt", token).status()).isEqualTo(200);
    String poor = storage.token("storage.read:/elsewhere");
    long before = at.answered();

    // Not known yet.
    assertThat(ask("/data/plain.txt", storage.token("storage.read:/plain.txt")).status())
        .isEqualTo(200);
    assertThat(ask("/data/plain.txt", poor).status()).isEqualTo(403);
    // Known, and not admitted.
    assertThat(ask("/data/plain.txt", poor).status()).isEqualTo(403);
    assertThat(ask("/data/plain.txt", "no token").status()).isEqualTo(401);
    assertThat(ask("/data/large.txt", token).content()).hasSize(16 * 1024 + 1);
    assertThat(ask("/data/missing.txt", token).status()).isEqualTo(404);
    assertThat(ask("/data/plain.txt/", token).status()).isEqualTo(404);
    assertThat(ask("/data/", token).status()).isEqualTo(200);
    assertThat(ask("/data/plain.txt", token, "Range: bytes=0-9").content()).hasSize(10);
    assertThat(ask("/data/plain.txt", token, "If-None-Match: *").status()).isEqualTo(304);
    assertThat(ask("/data/plain.txt", token, "Want-Digest: adler32").header("Digest"))
        .hasValueSatisfying(digest -> assertThat(digest).startsWith("adler32="));
    assertThat(ask("/data/plain.txt?authz=" + token, token).status()).isEqualTo(200);
    assertThat(ask("/data/plain.txt", token, "Authorization: Bearer " + poor).status())
        .isEqualTo(400);
    assertThat(ask("/.staithe/health", token).status()).isEqualTo(200);
    assertThat(at.answered()).isEqualTo(before);
  }

  /** A link, a pipe or a folder in the place of the file is none of its business. */
  @Test
  void linkInTheWayIsNotFollowedAtOnce() throws IOException {
    Path file = file("linked.txt", 100);
    Files.createSymbolicLink(storage.data().resolve("link.txt"), file.getFileName());
    String token = storage.token();
    Answer usual = ask("/data/link.txt", token, NOBODY_KNOWS);
    long before = at.answered();
    Answer same = ask("/data/link.txt", token);
    assertThat(at.answered()).isEqualTo(before);
    assertThat(same.status()).isEqualTo(usual.status());
    assertThat(lasting(same)).isEqualTo(lasting(usual));
  }

  @Test
  void fileThatIsReplacedIsGivenAsItIsNow() throws IOException {
    String token = storage.token();
    for (int length = 1; length <= 20; length++) {
      file("replaced.txt", length);
      Answer answer = ask("/data/replaced.txt", token);
      assertThat(answer.content()).hasSize(length);
      assertThat(answer.header("Digest"))
          .isEqualTo(ask("/data/replaced.txt", token, NOBODY_KNOWS).header("Digest"));
    }
  }

  /** What a client does not take waits in its own connection: the thread goes on with others. */
  @Test
  void whoTakesNothingStopsNobodyElse() throws Exception {
    file("taken.txt", 16 * 1024);
    String token = storage.token();
    assertThat(ask("/data/taken.txt", token).status()).isEqualTo(200);
    String many = request("/data/taken.txt", token).repeat(300);
    List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        RawConnection connection = RawConnection.to(storage);
        silent.add(connection);
        // Not all of it fits into what lies between, as long as nothing is taken.
        Thread.ofVirtual().start(() -> send(connection, many));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(ask("/data/taken.txt", token).content()).hasSize(16 * 1024);
        Trials.held();
      }
      // And who takes at last has them all.
      for (int i = 0; i < 300; i++) {
        assertThat(silent.getFirst().answer().content()).hasSize(16 * 1024);
      }
    } finally {
      for (RawConnection each : silent) {
        each.breakOff();
      }
    }
  }
}
