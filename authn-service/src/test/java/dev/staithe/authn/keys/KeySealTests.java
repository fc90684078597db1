package dev.staithe.authn.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.authn.oauth.OauthStore;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

public final class KeySealTests {
  @TempDir Path folder;

  private final OauthStore store = new OauthStore();
  private final JdbcClient tables = JdbcClient.create(store.source());
  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T10:00:00Z"));

  @AfterEach
  void stop() {
    store.close();
  }

  /** A file with a new key. */
  public static Path key(Path folder) throws IOException {
    byte[] secret = new byte[KeySeal.BYTES];
    new SecureRandom().nextBytes(secret);
    return Files.writeString(
        Files.createTempFile(folder, "sealing", ".key"),
        Base64.getEncoder().encodeToString(secret) + "\n");
  }

  private String kid(KeySeal seal) {
    return new SigningKeys(store.source(), KeyPlan.DEFAULT, clock, seal)
        .signing(KeyAlgorithm.RS256)
        .getKeyID();
  }

  private byte[] secret(KeySeal seal) {
    return new StoreSecrets(store.source(), seal).get("session-token-a");
  }

  private List<String> contents() {
    List<String> all =
        new java.util.ArrayList<>(
            tables.sql("SELECT jwk FROM oauth_key").query(String.class).list());
    all.addAll(tables.sql("SELECT content FROM oauth_secret").query(String.class).list());
    return all;
  }

  @Test
  void storeAloneTellsNoKeyAndRowsCannotBeSwapped() throws IOException {
    KeySeal seal = KeySeal.of(List.of(key(folder)));
    byte[] secret = secret(seal);
    kid(seal);
    new StoreSecrets(store.source(), seal).get("session-token-b");

    assertThat(contents())
        .hasSize(3)
        .allMatch(content -> content.startsWith("sealed1:"))
        .noneMatch(content -> content.contains(Base64.getEncoder().encodeToString(secret)));
    assertThat(secret(seal)).isEqualTo(secret);

    tables
        .sql(
            "UPDATE oauth_secret SET content = (SELECT content FROM oauth_secret WHERE name ="
                + " 'session-token-b') WHERE name = 'session-token-a'")
        .update();
    assertThatThrownBy(() -> secret(seal))
        .isInstanceOf(KeySeal.Unreadable.class)
        .hasMessageContaining("session-token-a");
  }

  @Test
  void changedContentIsRefused() throws IOException {
    KeySeal seal = KeySeal.of(List.of(key(folder)));
    // eight bytes make Base64 without padding, where each character tells six bits and counts
    String sealed = seal.seal("row", "contents");
    assertThat(sealed).doesNotEndWith("=");
    assertThat(seal.open("row", sealed)).isEqualTo("contents");
    for (int i = sealed.indexOf(':', 9) + 1; i < sealed.length(); i++) {
      char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
      String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
      assertThatThrownBy(() -> seal.open("row", changed)).isInstanceOf(KeySeal.Unreadable.class);
    }
    assertThatThrownBy(() -> seal.open("row", sealed.substring(0, 30)))
        .isInstanceOf(KeySeal.Unreadable.class);
  }

  @Test
  void whatLiesInClearIsSealedByTheFirstStartWithAKeyAndStaysTheSame() throws IOException {
    String kid = kid(KeySeal.none());
    byte[] secret = secret(KeySeal.none());
    KeySeal seal = KeySeal.of(List.of(key(folder)));

    seal.adopt(store.source());

    assertThat(contents()).hasSize(2).allMatch(content -> content.startsWith("sealed1:"));
    assertThat(kid(seal)).isEqualTo(kid);
    assertThat(secret(seal)).isEqualTo(secret);
  }

  @Test
  void rotationInThreeRoundsKeepsAllKeysAndEndsWithoutTheOldOne() throws IOException {
    Path one = key(folder);
    Path two = key(folder);
    KeySeal old = KeySeal.of(List.of(one));
    String kid = kid(old);
    byte[] secret = secret(old);

    KeySeal both = KeySeal.of(List.of(one, two));
    both.adopt(store.source());
    assertThat(kid(old)).as("a node of the round before").isEqualTo(kid);
    KeySeal turned = KeySeal.of(List.of(two, one));
    turned.adopt(store.source());
    assertThat(kid(both)).as("a node of the round before").isEqualTo(kid);
    KeySeal last = KeySeal.of(List.of(two));
    last.adopt(store.source());

    assertThat(kid(last)).isEqualTo(kid);
    assertThat(secret(last)).isEqualTo(secret);
    assertThatThrownBy(() -> old.adopt(store.source())).isInstanceOf(KeySeal.Unreadable.class);
  }

  @Test
  void otherKeyOrNoneIsToldInOneLine() throws IOException {
    kid(KeySeal.of(List.of(key(folder))));
    KeySeal other = KeySeal.of(List.of(key(folder)));

    assertThatThrownBy(() -> other.adopt(store.source()))
        .isInstanceOf(KeySeal.Unreadable.class)
        .hasMessageContaining("none of the files holds it");
    assertThatThrownBy(() -> KeySeal.none().adopt(store.source()))
        .isInstanceOf(KeySeal.Unreadable.class)
        .hasMessageContaining("no file with their key is named");
  }

  @Test
  void nodeThatCannotReadNewSealsGoesOnWithTheKeysThatItKnows() throws IOException {
    var node = new SigningKeys(store.source(), KeyPlan.DEFAULT, clock, KeySeal.none());
    String kid = node.signing(KeyAlgorithm.RS256).getKeyID();

    KeySeal.of(List.of(key(folder))).adopt(store.source());
    clock.advance(KeyPlan.DEFAULT.reread().plusSeconds(1));

    assertThat(node.signing(KeyAlgorithm.RS256).getKeyID()).isEqualTo(kid);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "not Base64, but a secret!", "AAAAAAAAAAAAAAAAAAAAAA=="})
  void fileThatIsNoKeyIsRefusedWithoutQuotingIt(String content) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.key"), content);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeySeal.of(List.of(file)))
        .withMessageContaining("32 random bytes")
        .satisfies(
            e -> {
              if (!content.isEmpty()) {
                assertThat(e.getMessage()).doesNotContain(content);
              }
            });
  }
}
