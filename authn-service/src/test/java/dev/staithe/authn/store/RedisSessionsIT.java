package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.peers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all models do on Redis while nothing breaks. */
class RedisSessionsIT {
  private static RedisServer primary;
  private static RedisServer one;
  private static RedisServer two;

  @BeforeAll
  static void start() {
    primary = RedisServer.start("appendonly yes");
    one = primary.replica("appendonly yes");
    two = primary.replica("appendonly yes");
  }

  @AfterAll
  static void stop() {
    two.close();
    one.close();
    primary.close();
  }

  static StoreSettings.Redis settings(PersistenceModel model, RedisServer server) {
    return new StoreSettings.Redis(
        model,
        "127.0.0.1",
        server.port(),
        Optional.empty(),
        Optional.of(server.passwordFile()),
        Optional.empty());
  }

  /** The contract, by model. */
  abstract static class WithModel implements SeveralNodesContract {
    private final PersistenceModel model;
    private SessionStore store;

    WithModel(PersistenceModel model) {
      this.model = model;
    }

    @BeforeEach
    void open() {
      store = SessionStores.open(settings(model, primary), Some.CLOCK);
      store.beginEpoch(Some.LONG);
    }

    @AfterEach
    void close() {
      store.close();
    }

    @Override
    public SessionStore store() {
      return store;
    }
  }

  @Nested
  class Off extends WithModel {
    Off() {
      super(PersistenceModel.OFF);
    }
  }

  @Nested
  class BestEffort extends WithModel {
    BestEffort() {
      super(PersistenceModel.BEST_EFFORT);
    }
  }

  @Nested
  class AssuredWrite extends WithModel {
    AssuredWrite() {
      super(PersistenceModel.ASSURED_WRITE);
    }
  }

  @Nested
  class AssuredRead extends WithModel {
    AssuredRead() {
      super(PersistenceModel.ASSURED_READ);
    }
  }

  @Test
  void wrongPasswordIsRefusedWithOneLineThatDoesNotTellIt(@TempDir Path folder) throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "not-the-password\n");
    StoreSettings.Redis right = settings(PersistenceModel.BEST_EFFORT, primary);
    StoreSettings.Redis wrong =
        new StoreSettings.Redis(
            right.model(),
            right.host(),
            right.port(),
            right.user(),
            Optional.of(password),
            right.tls());

    assertThatThrownBy(() -> SessionStores.open(wrong, Some.CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the session store cannot be used: Redis: WRONGPASS")
        .hasMessageNotContaining("not-the-password");
  }

  @Test
  void expiredEntriesAreCutFromTheLogInPieces() throws Exception {
    try (SessionStore store =
        SessionStores.open(settings(PersistenceModel.OFF, primary), Some.CLOCK)) {
      store.beginEpoch(Some.LONG);
      Instant soon = Some.now().plusSeconds(60);
      for (int i = 0; i < 2500; i++) {
        store.revoke(List.of(new Revocation.OfSession(Some.session("anna").id(), soon)), Some.LONG);
      }
      Revocation stays = Some.endOf(Some.session("bert"));
      store.revoke(List.of(stays), Some.LONG);
      Some.eventually(
          "all are written", () -> store.revocationsAfter("", Some.LONG).entries().size() == 2501);
      LogSlice before = Some.log(store);

      store.deleteExpired(soon.plus(Duration.ofSeconds(1)));

      assertThat(primary.command("XLEN", RedisScripts.PREFIX + "log")).isEqualTo("1");
      assertThat(Some.log(store).entries()).containsExactly(stays);
      assertThat(Some.log(store, before.position()).regressed()).isFalse();
      assertThat(Some.log(store, before.position()).entries()).isEmpty();
    }
  }
}
