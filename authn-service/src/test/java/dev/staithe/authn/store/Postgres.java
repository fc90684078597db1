package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A primary with the standbys that a test wants, and nodes on it; all end with the test. */
final class Postgres implements AutoCloseable {
  private final Deque<Runnable> open = new ConcurrentLinkedDeque<>();
  final PostgresServer primary;

  private Postgres(String... settings) {
    primary = PostgresServer.start(settings);
    open.push(primary::close);
  }

  static Postgres start(String... settings) {
    return new Postgres(settings);
  }

  PostgresServer standby(String name) {
    PostgresServer standby = primary.standby(name);
    open.push(standby::close);
    return standby;
  }

  /** Makes commits wait for standbys, and waits until the primary knows them for such. */
  void synchronous(String names, int standbys) {
    primary.set("synchronous_standby_names", "'" + names + "'");
    Eventually.holds(
        "the standbys are synchronous",
        () ->
            primary
                .sql(
                    "select count(*) from pg_stat_replication"
                        + " where sync_state in ('sync', 'quorum')")
                .equals(Integer.toString(standbys)));
  }

  StoreSettings.Relational settings(PersistenceModel model, String url, Optional<String> readUrl) {
    return new StoreSettings.Relational(
        model, url, primary.user(), Optional.of(primary.passwordFile()), readUrl);
  }

  SessionStore node(PersistenceModel model) {
    return node(settings(model, primary.url(), Optional.empty()));
  }

  SessionStore node(StoreSettings.Relational settings) {
    SessionStore store = SessionStores.open(settings, Some.CLOCK);
    open.push(store::close);
    return store;
  }

  /** How many of that table's rows. */
  static int count(PostgresServer server, String table) {
    return Integer.parseInt(server.sql("select count(*) from " + table));
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }
}
