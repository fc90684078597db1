package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionStoresTests {
  @TempDir Path folder;

  private static String refusal(StoreSettings settings) {
    return String.valueOf(
        catchThrowableOfType(
                IllegalArgumentException.class, () -> SessionStores.open(settings, Some.CLOCK))
            .getMessage());
  }

  private static StoreSettings at(PersistenceModel model, String url, Optional<String> readUrl) {
    return new StoreSettings.Relational(model, url, "staithe", Optional.empty(), readUrl);
  }

  @Test
  void storesThatCannotBeReachedAreRefusedWithOneLine() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), "not-told\n");
    String postgres = "jdbc:postgresql://127.0.0.1:" + FreePort.next() + "/x";

    assertThat(
            refusal(
                new StoreSettings.Relational(
                    PersistenceModel.BEST_EFFORT,
                    postgres,
                    "staithe",
                    Optional.of(password),
                    Optional.empty())))
        .startsWith("the tables of sessions cannot be made or changed: Connection to 127.0.0.1:")
        .doesNotContain("not-told")
        .hasLineCount(1);
    assertThat(
            refusal(
                new StoreSettings.Redis(
                    PersistenceModel.OFF,
                    "127.0.0.1",
                    FreePort.next(),
                    Optional.empty(),
                    Optional.of(password),
                    Optional.empty())))
        .startsWith("the session store cannot be used: Redis: ")
        .doesNotContain("not-told")
        .hasLineCount(1);
  }

  @Test
  void standbyIsReadOnlyWhereItIsNeverBehind() {
    assertThat(
            refusal(
                at(
                    PersistenceModel.ASSURED_WRITE,
                    "jdbc:postgresql://a/x",
                    Optional.of("jdbc:postgresql://b/x"))))
        .isEqualTo(
            "only assured-read may read from a standby: with assured-write it may show an old"
                + " state");
  }

  @Test
  void otherDatabasesAreRefusedWithoutTellingTheUrl() {
    assertThat(
            refusal(
                at(
                    PersistenceModel.BEST_EFFORT,
                    "jdbc:mysql://a/x?password=told",
                    Optional.empty())))
        .isEqualTo("sessions are kept in PostgreSQL (jdbc:postgresql:), H2 (jdbc:h2:) or Redis");
  }

  @Test
  void passwordFileThatIsMissingIsNamed() throws IOException {
    assertThat(
            refusal(
                new StoreSettings.Relational(
                    PersistenceModel.BEST_EFFORT,
                    "jdbc:postgresql://127.0.0.1:" + FreePort.next() + "/x",
                    "staithe",
                    Optional.of(folder.resolve("nothing")),
                    Optional.empty())))
        .contains("the password file cannot be read")
        .hasLineCount(1);
  }
}
