package dev.staithe.storage.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys come, go, are sealed, and are the same on all nodes. */
class TokenKeysTests {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(7);
  private static final Duration ROTATION = Duration.ofDays(30);

  @TempDir private Path folder;

  private TokenKeys at(Instant now) {
    return node(now, "sealing");
  }

  private TokenKeys node(Instant now, String sealing) {
    return new TokenKeys(
        new TokenSettings(
            folder.resolve("keys"),
            folder.resolve(sealing),
            Duration.ofHours(1),
            LONGEST,
            ROTATION),
        Clock.fixed(now, ZoneOffset.UTC));
  }

  @Test
  void keyThatIsReplacedOpensItsTokensUntilTheLastOfThemHasEnded() throws IOException {
    TokenKey.Root first = at(START).root();
    TokenKey.Signing signing = at(START).signingNow();
    Instant late = START.plus(ROTATION).minusSeconds(1);
    assertThat(at(late).root().id()).isEqualTo(first.id());
    assertThat(at(late).signingNow().id()).isEqualTo(signing.id());

    Instant rotated = START.plus(ROTATION);
    TokenKey.Root second = at(rotated).root();
    TokenKey.Signing next = at(rotated).signingNow();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.root()).isNotEqualTo(first.root());
    assertThat(at(rotated).find(first.id())).isPresent();
    assertThat(at(rotated).signing())
        .extracting(TokenKey::id)
        .containsExactly(next.id(), signing.id());

    // Made in its last second, the longest token has ended by now.
    Instant third = rotated.plus(ROTATION);
    at(third).root();
    at(third).signingNow();
    assertThat(at(third).find(first.id())).isEmpty();
    assertThat(at(third).find(second.id())).isPresent();
    assertThat(at(third).signing()).extracting(TokenKey::id).doesNotContain(signing.id());
  }

  @Test
  void keyThatWasMadeWhileAClockWasAheadIsReplacedOnceItIsRight() throws IOException {
    TokenKey.Root ahead = at(START.plus(Duration.ofDays(3650))).root();

    TokenKey.Root first = at(START).root();
    assertThat(first.id()).isNotEqualTo(ahead.id());
    assertThat(at(START).root().id()).isEqualTo(first.id());
    assertThat(at(START).find(ahead.id())).as("what it has made is good").isPresent();
    assertThat(at(START.minusSeconds(60)).root().id())
        .as("clocks of nodes differ a little")
        .isEqualTo(first.id());
    assertThat(at(START.plus(ROTATION)).root().id()).isNotIn(first.id(), ahead.id());
  }

  @Test
  void nodeWhoseClockIsAheadTakesNoKeyFromTheOthers() throws IOException {
    TokenKey.Root root = at(START).root();
    TokenKey.Signing signing = at(START).signingNow();
    TokenKeys ahead = at(START.plus(Duration.ofDays(3650)));
    assertThat(ahead.root().id()).isNotEqualTo(root.id());
    assertThat(ahead.signingNow().id()).isNotEqualTo(signing.id());

    assertThat(at(START).find(root.id())).isPresent();
    assertThat(at(START).find(signing.id())).isPresent();
    assertThat(at(START).root().id()).isEqualTo(root.id());
  }

  @Test
  void whatIsInTheFileIsSealedAndWorthNothingWithoutTheOtherFile() throws IOException {
    TokenKey.Root root = at(START).root();
    TokenKey.Signing signing = at(START).signingNow();

    String text = Files.readString(folder.resolve("keys"));
    assertThat(text)
        .doesNotContain(Base64.getEncoder().encodeToString(root.root()))
        .doesNotContain(signing.jwk().getD().toString());
    for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
      byte[] sealed = Base64.getDecoder().decode(line.split(" ")[3]);
      assertThat(new String(sealed, StandardCharsets.ISO_8859_1))
          .doesNotContain(new String(root.root(), StandardCharsets.ISO_8859_1))
          .doesNotContain("P-256");
    }
    for (String name : new String[] {"keys", "sealing"}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .isEqualTo("rw-------");
    }

    TokenKeys stranger = node(START, "other-sealing");
    assertThat(stranger.find(root.id())).isEmpty();
    assertThat(stranger.signing()).isEmpty();
  }

  /** The line of one key under the name of another, or as another kind, opens nothing. */
  @Test
  void sealedKeyIsBoundToItsNameAndKind() throws IOException {
    TokenKey.Root root = at(START).root();
    String text = Files.readString(folder.resolve("keys"));

    for (String forged :
        new String[] {
          text.replace(root.id(), "0123456789abcdef"),
          text.replace("macaroon " + root.id(), "jwt " + root.id())
        }) {
      Files.writeString(folder.resolve("keys"), forged);
      TokenKeys keys = at(START);
      assertThat(keys.find("0123456789abcdef")).isEmpty();
      assertThat(keys.find(root.id())).isEmpty();
    }
    Files.writeString(folder.resolve("keys"), text);
    assertThat(at(START).find(root.id())).isPresent();
  }

  @Test
  void nodesMakeOneKeyAndEachKnowsThatOfTheOther() throws IOException {
    TokenKeys one = at(START);
    TokenKeys other = at(START);
    assertThat(one.root().id()).isEqualTo(other.root().id());

    TokenKey.Signing later = other.signingNow();
    // Looked at a moment ago: a token may be used at another node as soon as it is made.
    assertThat(one.find(later.id())).isPresent();
    assertThat(one.signingNow().id()).isEqualTo(later.id());
  }

  /** As of a node that was stopped while it wrote: others go on, and find out that they must. */
  @Test
  void nodeThatHangsWhileItChangesTheFileHangsNoOther() throws Exception {
    TokenKey.Root first = at(START).root();
    Path lock = folder.resolve("keys.lock");
    try (FileChannel hanging = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = hanging.lock()) {
      assertThat(held.isValid()).isTrue();
      TokenKeys late = at(START.plus(ROTATION));
      CompletableFuture<Throwable> made = CompletableFuture.supplyAsync(() -> failure(late));

      assertThat(late.find(first.id())).isPresent();
      assertThat(made.join())
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("is being changed by another node");
    }
    assertThat(at(START.plus(ROTATION)).root().id()).isNotEqualTo(first.id());
  }

  /** Many clients ask for tokens at once; were each to wait by itself, the last would for long. */
  @Test
  void whoNeedsAKeyMeanwhileWaitsNoLongerThanTheFirst() throws Exception {
    at(START).root();
    try (FileChannel hanging =
            FileChannel.open(folder.resolve("keys.lock"), StandardOpenOption.WRITE);
        FileLock held = hanging.lock()) {
      assertThat(held.isValid()).isTrue();
      TokenKeys late = at(START.plus(ROTATION));
      long began = System.nanoTime();
      List<CompletableFuture<Long>> waits = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waits.add(
            CompletableFuture.supplyAsync(
                () -> {
                  assertThat(failure(late)).isInstanceOf(IOException.class);
                  return System.nanoTime() - began;
                },
                waiting -> Thread.ofPlatform().start(waiting)));
      }
      List<Long> took = waits.stream().map(CompletableFuture::join).sorted().toList();

      assertThat(took.getLast()).isLessThan(2 * took.getFirst());
    }
  }

  private static Throwable failure(TokenKeys keys) {
    return catchThrowable(keys::root);
  }

  @Test
  void whatAKilledNodeWroteIsGoneWithTheNextChange() throws IOException {
    Path left = Files.writeString(folder.resolve(".keys.new"), "half a li");

    at(START).root();

    assertThat(left).doesNotExist();
    assertThat(Files.readAllLines(folder.resolve("keys"))).hasSize(2);
  }

  @Test
  void fileThatOthersCouldReadIsNotUsed() throws IOException {
    String id = at(START).root().id();
    Files.setPosixFilePermissions(
        folder.resolve("keys"), PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(at(START).find(id)).isEmpty();
    assertThatThrownBy(() -> at(START).root()).isInstanceOf(IOException.class);
  }
}
