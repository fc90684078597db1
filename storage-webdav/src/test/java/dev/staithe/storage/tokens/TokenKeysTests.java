package dev.staithe.storage.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
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
    Eventually.holds("the other node knows it", () -> one.find(later.id()).isPresent());
    assertThat(one.signingNow().id()).isEqualTo(later.id());
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
