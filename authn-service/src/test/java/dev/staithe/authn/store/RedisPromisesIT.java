package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.peers.RedisServer;
import dev.staithe.testkit.Eventually;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Redis can promise, and what becomes of it when replicas or the primary go. */
class RedisPromisesIT {
  private final Deque<Runnable> open = new ArrayDeque<>();

  @AfterEach
  void stop() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }

  private RedisServer primary(String... settings) {
    RedisServer server = RedisServer.start(settings);
    open.push(server::close);
    return server;
  }

  private RedisServer replica(RedisServer primary) {
    RedisServer replica = primary.replica();
    open.push(replica::close);
    return replica;
  }

  private SessionStore node(PersistenceModel model, RedisServer server) {
    SessionStore store = SessionStores.open(RedisSessionsIT.settings(model, server), Some.CLOCK);
    open.push(store::close);
    return store;
  }

  @Test
  void assuredWriteWhenThePrimaryIsKilledThenAllThatWasAcknowledgedIsOnTheReplica()
      throws Exception {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    List<Session> kept = new ArrayList<>();
    List<Revocation> ended = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Session stays = Some.session("stays");
      Session goes = Some.session("goes");
      assertThat(store.open(stays, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      assertThat(store.open(goes, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      assertThat(store.revoke(List.of(Some.endOf(goes)), Some.LONG))
          .isEqualTo(new WriteOutcome.Stored());
      kept.add(stays);
      ended.add(Some.endOf(goes));
    }

    primary.kill();
    replica.promote();

    SessionStore survivor = node(PersistenceModel.OFF, replica);
    assertThat(survivor.sessionsOf("stays")).containsAll(kept);
    assertThat(survivor.sessionsOf("goes")).isEmpty();
    assertThat(Some.log(survivor).entries()).containsAll(ended);
  }

  /** The limit of what is promised where WAIT is all there is: two memories, and no disk. */
  @Test
  void assuredWriteWhenPrimaryAndReplicaWithoutFilesEndTogetherThenAllIsGoneAndTheEpochIsAnother() {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    Session session = Some.session("anna");
    assertThat(store.open(session, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    LogSlice before = Some.log(store);

    primary.kill();
    replica.kill();
    primary.restart();
    replica.restart();

    Some.eventually("it is gone", () -> store.find(session.id()).isEmpty());
    assertThat(Some.log(store, before.position()).epoch()).isNotEqualTo(before.epoch());
  }

  /** What docs/persistence-models.md tells to set where both may end together. */
  @Test
  void assuredWriteWhenBothWriteFilesAlwaysAndEndTogetherThenAllThatWasAcknowledgedIsThere()
      throws Exception {
    String[] always = {"appendonly yes", "appendfsync always"};
    RedisServer primary = primary(always);
    RedisServer replica = primary.replica(always);
    open.push(replica::close);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    List<Session> kept = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Session session = Some.session("anna");
      assertThat(store.open(session, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      kept.add(session);
    }

    primary.kill();
    replica.kill();
    replica.restart();
    replica.promote();

    SessionStore survivor = node(PersistenceModel.OFF, replica);
    assertThat(survivor.sessionsOf("anna")).containsAll(kept);
    primary.restart();
    assertThat(node(PersistenceModel.OFF, primary).sessionsOf("anna")).containsAll(kept);
  }

  /**
   * With {@code WAITAOF}, for which the first {@code redis-server} of the path has to be Valkey, or
   * Redis 7.2 or newer; Debian 12's is older, and there this replica would do.
   */
  @Test
  void replicaThatWritesNoFileIsNoSecondCopyWhereDisksAreWaitedFor() throws Exception {
    RedisServer primary = primary("appendonly yes", "appendfsync always");
    String[] version =
        primary.command("INFO", "server").replaceFirst("(?s).*redis_version:", "").split("[.\\s]");
    assumeTrue(
        Integer.parseInt(version[0]) > 7
            || version[0].equals("7") && Integer.parseInt(version[1]) >= 2,
        "this Redis has no WAITAOF");
    RedisServer inMemory = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);

    assertThat(store.open(Some.session("anna"), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);

    RedisServer onDisk = primary.replica("appendonly yes", "appendfsync always");
    open.push(onDisk::close);
    List<Session> kept = new ArrayList<>();
    Some.eventually(
        "acknowledged by the one with a disk",
        () -> {
          Session session = Some.session("bert");
          boolean is = store.open(session, Some.LONG) instanceof WriteOutcome.Stored;
          if (is) {
            kept.add(session);
          }
          return is;
        });
    primary.kill();
    inMemory.kill();
    onDisk.kill();
    onDisk.restart();
    onDisk.promote();
    assertThat(node(PersistenceModel.OFF, onDisk).sessionsOf("bert")).containsAll(kept);
  }

  @Test
  void assuredReadWhenAcknowledgedThenEveryConnectedReplicaHasIt() {
    RedisServer primary = primary();
    RedisServer one = replica(primary);
    RedisServer two = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_READ, primary);
    for (int i = 0; i < 20; i++) {
      Session session = Some.session("anna");
      assertThat(store.open(session, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      for (RedisServer each : List.of(one, two)) {
        assertThat(each.command("HGET", RedisScripts.PREFIX + "session:" + session.id(), "subject"))
            .isEqualTo("anna");
      }
    }
    two.pause();

    assertThat(store.open(Some.session("bert"), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
  }

  @Test
  void loginWhenTheReplicaIsPausedThenIsNotAcknowledgedAndIsRemovedWhenItIsBack() throws Exception {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    store.open(Some.session("first"), Some.LONG);
    replica.pause();
    Session session = Some.session("anna");

    assertThat(store.open(session, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(Some.find(store, session)).as("it was written").isPresent();
    replica.resume();

    Some.eventually("it is removed", () -> store.find(session.id()).isEmpty());
    assertThat(store.open(Some.session("bert"), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
  }

  @Test
  void logoutWhenTheReplicaIsPausedThenIsPendingButObeyedAtOnce() {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    SessionStore other = node(PersistenceModel.ASSURED_WRITE, primary);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    replica.pause();
    // The writer waits for the replica with this one, so that the logout is behind it.
    store.open(Some.session("bert"), Some.SHORT);

    Revocation end = Some.endOf(session);
    assertThat(store.revoke(List.of(end), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);

    Some.eventually(
        "the other node sees it",
        () -> other.revocationsAfter("", Some.LONG).entries().contains(end));
  }

  @Test
  void logoutsWhenThePrimaryComesBackWithoutAReplicaThenAreObeyedThoughTheWriterWaits() {
    RedisServer primary = primary();
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary);
    // The writer waits for a replica with this one, now and when the primary is back.
    store.open(Some.session("anna"), Some.SHORT);
    primary.kill();
    List<Revocation> ends = new ArrayList<>();
    for (int i = 0; i < GroupCommit.ROWS; i++) {
      ends.add(Some.endOf(Some.session("bert")));
    }
    assertThat(store.revoke(ends, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);

    primary.restart();

    Some.eventually(
        "other nodes see them",
        () -> store.revocationsAfter("", Some.LONG).entries().containsAll(ends));
  }

  @Test
  void withoutReplicaAssuredModelsAreInTroubleAndAcknowledgeNothing() {
    SessionStore store = node(PersistenceModel.ASSURED_WRITE, primary());

    assertThat(store.trouble()).contains("assured-write needs a replica, and none is connected");
    assertThat(store.open(Some.session("anna"), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
  }

  @Test
  void bestEffortWithoutAppendOnlyFileIsInTrouble() {
    assertThat(node(PersistenceModel.BEST_EFFORT, primary()).trouble().orElseThrow())
        .startsWith("best-effort needs appendonly yes");
    assertThat(node(PersistenceModel.BEST_EFFORT, primary("appendonly yes")).trouble()).isEmpty();
    assertThat(
            node(
                    PersistenceModel.BEST_EFFORT,
                    primary("appendonly yes", "maxmemory 100mb", "maxmemory-policy allkeys-lru"))
                .trouble()
                .orElseThrow())
        .contains("set maxmemory-policy noeviction");
  }

  @Test
  void bestEffortWhenRedisIsKilledThenItsFileBringsTheSessionsBack() {
    RedisServer primary = primary("appendonly yes", "appendfsync everysec");
    SessionStore store = node(PersistenceModel.BEST_EFFORT, primary);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    LogSlice before = Some.log(store);

    primary.kill();
    primary.restart();

    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    LogSlice after = Some.log(store, before.position());
    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(after.regressed()).as("the last second may be missing").isTrue();
  }

  @Test
  void offWhenRedisIsKilledThenAllIsGoneAndTheEpochIsAnother() {
    RedisServer primary = primary();
    SessionStore store = node(PersistenceModel.OFF, primary);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    LogSlice before = Some.log(store);

    primary.kill();
    primary.restart();

    Some.eventually("it answers", () -> store.find(session.id()).isEmpty());
    assertThat(Some.log(store, before.position()).epoch()).isNotEqualTo(before.epoch());
  }

  @Test
  void emptiedRedisBeginsAnEpoch() {
    RedisServer primary = primary();
    SessionStore store = node(PersistenceModel.OFF, primary);
    long epoch = Some.log(store).epoch();
    Revocation old = Some.endOf(Some.session("anna"));
    store.revoke(List.of(old), Some.LONG);
    Some.eventually(
        "it is read", () -> store.revocationsAfter("", Some.LONG).entries().contains(old));
    String position = Some.log(store).position();

    primary.command("FLUSHALL");

    LogSlice after = Some.log(store, position);
    assertThat(after.epoch()).isNotEqualTo(epoch);
    assertThat(after.entries()).isEmpty();
    assertThat(Some.log(store).epoch()).isEqualTo(after.epoch());
  }

  @Test
  void logOfAReplicaThatMissesEntriesIsKnownForIt() {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.OFF, primary);
    Revocation copied = Some.endOf(Some.session("anna"));
    store.revoke(List.of(copied), Some.LONG);
    Eventually.holds(
        "it is copied", () -> replica.command("XLEN", RedisScripts.PREFIX + "log").equals("1"));
    replica.promote(); // too early, so that it does not get all
    Revocation lost = Some.endOf(Some.session("bert"));
    store.revoke(List.of(lost), Some.LONG);
    Some.eventually(
        "it is read", () -> store.revocationsAfter("", Some.LONG).entries().contains(lost));
    LogSlice before = Some.log(store);

    primary.kill();

    LogSlice after = Some.log(node(PersistenceModel.OFF, replica), before.position());
    assertThat(after.regressed()).isTrue();
    assertThat(after.entries()).containsExactly(copied);
    assertThat(after.epoch()).isEqualTo(before.epoch());
  }

  @Test
  void aReplicaIsNotTakenForThePrimary() {
    RedisServer primary = primary();
    RedisServer replica = replica(primary);
    SessionStore store = node(PersistenceModel.OFF, replica);

    store.open(Some.session("anna"), Some.LONG);

    Some.eventually(
        "logins fail",
        () -> store.open(Some.session("bert"), Some.LONG) instanceof WriteOutcome.Failed);
    assertThat(store.trouble().orElseThrow()).contains("replica");
  }
}
