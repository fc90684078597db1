package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import dev.staithe.service.redis.RedisListener;
import dev.staithe.service.redis.RedisPool;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in Redis or Valkey, for any number of nodes, all of which talk to the primary. Replicas
 * are second copies, chosen at a fail-over by somebody else, who may choose one that has not all:
 * what the assured models promise here is less than with PostgreSQL.
 */
final class RedisSessions implements SessionStore {
  private static final Duration BEFORE_AGAIN = Duration.ofSeconds(1);
  private static final int CONNECTIONS = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int EXPIRED_AT_ONCE = 1000;

  private final StoreSettings.Redis settings;
  private final Clock clock;
  private final RedisPool pool;
  private final Announcer announcer;
  private final GroupCommit commits;
  private final RedisLog log;
  private final List<RedisListener> listeners = new CopyOnWriteArrayList<>();

  private RedisSessions(StoreSettings.Redis settings, RedisPool pool, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.pool = pool;
    this.announcer = new Announcer(this::tell, clock);
    this.commits =
        new GroupCommit(
            "session-store-writer",
            new RedisWriter(settings),
            !settings.model().assured(),
            clock,
            announcer::announce);
    this.log = new RedisLog(settings, clock);
  }

  /**
   * Opens it.
   *
   * @throws IllegalArgumentException with one line where it cannot be used
   */
  static RedisSessions open(StoreSettings.Redis settings, Clock clock) {
    RedisPool pool = new RedisPool(settings.address(), CONNECTIONS, TIMEOUT);
    try {
      Map<String, String> server = pool.call(connection -> connection.info("server"));
      String version = server.getOrDefault("redis_version", "0");
      if (Integer.parseInt(version.split("\\.")[0]) < 7) {
        throw new IllegalArgumentException("Redis 7 is needed, and this is " + version);
      }
      return new RedisSessions(settings, pool, clock);
    } catch (StoreUnavailable e) {
      pool.close();
      throw new IllegalArgumentException("the session store cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public PersistenceModel model() {
    return settings.model();
  }

  @Override
  public WriteOutcome open(Session session, Duration deadline) {
    return commits.open(session, deadline);
  }

  /**
   * Where the acknowledgement does not come, the entries are written once more past the writer,
   * which may be waiting for replicas, again until that succeeds: a logout that is not assured is
   * still obeyed by the other nodes.
   */
  @Override
  public WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline) {
    return commits.end(revocations, deadline);
  }

  private void tell(List<Revocation> revocations) throws StoreUnavailable {
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(PostgresEpoch.fresh()));
    RedisWriter.add(new Write.End(revocations), arguments);
    eval(RedisScripts.WRITE, arguments);
  }

  private Object eval(String script, List<String> arguments) throws StoreUnavailable {
    List<String> all = new ArrayList<>(List.of(script, "1", RedisScripts.PREFIX));
    all.addAll(arguments);
    return pool.call(
        connection -> {
          Object answer = connection.run("EVAL", all.toArray());
          return answer == null ? "" : answer;
        });
  }

  @Override
  public LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> entries)
      throws StoreUnavailable {
    return log.read(position, timeout, entries);
  }

  @Override
  public void onHint(Runnable wake) {
    listeners.add(
        new RedisListener(
            "session-store-listener",
            BEFORE_AGAIN,
            () -> RedisConnection.open(settings.address(), RedisLog.SILENCE),
            open -> RedisLog.follow(open, wake)));
  }

  @Override
  public WriteOutcome beginEpoch(Duration deadline) {
    return commits.begin(new Write.Begin(PostgresEpoch.fresh()), deadline);
  }

  @Override
  public Optional<Instant> lastUse(SessionId id, Duration timeout) throws StoreUnavailable {
    return find(id, timeout).map(Session::lastUse);
  }

  @Override
  public void touch(Map<SessionId, Instant> uses) throws StoreUnavailable {
    List<String> arguments = new ArrayList<>();
    uses.forEach(
        (id, time) -> {
          arguments.add(id.toString());
          arguments.add(Long.toString(time.toEpochMilli()));
        });
    if (!arguments.isEmpty()) {
      eval(RedisScripts.TOUCH, arguments);
    }
  }

  @Override
  public Optional<Session> find(SessionId id) throws StoreUnavailable {
    return find(id, TIMEOUT);
  }

  private Optional<Session> find(SessionId id, Duration timeout) throws StoreUnavailable {
    return pool.call(timeout, connection -> read(connection, id));
  }

  @Override
  public List<Session> sessionsOf(String subject) throws StoreUnavailable {
    return pool.call(
        connection ->
            readAll(
                connection,
                connection.run("ZRANGE", RedisScripts.PREFIX + "user:" + subject, "0", "-1")));
  }

  @Override
  public long countOf(String subject) throws StoreUnavailable {
    return pool.call(
        connection -> connection.number("ZCARD", RedisScripts.PREFIX + "user:" + subject));
  }

  @Override
  public List<Session> sessions(int limit) throws StoreUnavailable {
    if (limit <= 0) {
      return List.of();
    }
    return pool.call(
        connection ->
            readAll(
                connection,
                connection.run(
                    "ZRANGE",
                    RedisScripts.PREFIX + "created",
                    "0",
                    Integer.toString(limit - 1),
                    "REV")));
  }

  private List<Session> readAll(RedisConnection connection, @Nullable Object ids)
      throws StoreUnavailable {
    List<Session> sessions = new ArrayList<>();
    for (Object each : RedisConnection.list(ids)) {
      Optional<SessionId> id = SessionId.parse(String.valueOf(RedisConnection.text(each)));
      if (id.isPresent()) {
        read(connection, id.get()).ifPresent(sessions::add);
      }
    }
    return List.copyOf(sessions);
  }

  private Optional<Session> read(RedisConnection connection, SessionId id) throws StoreUnavailable {
    Map<String, String> fields =
        RedisConnection.pairs(connection.run("HGETALL", RedisScripts.PREFIX + "session:" + id));
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    Session session =
        new Session(
            id,
            fields.getOrDefault("subject", ""),
            time(fields, "created"),
            time(fields, "expires"),
            time(fields, "last"),
            Assurance.of(Integer.parseInt(fields.getOrDefault("assurance", "1"))),
            fields.getOrDefault("address", ""),
            fields.getOrDefault("client", ""));
    return session.expires().isAfter(clock.instant()) ? Optional.of(session) : Optional.empty();
  }

  private static Instant time(Map<String, String> fields, String name) {
    return Instant.ofEpochMilli(Long.parseLong(fields.getOrDefault(name, "0")));
  }

  /** Harmless where several nodes do it at once: each takes what the others have left. */
  @Override
  public void deleteExpired(Instant now) throws StoreUnavailable {
    List<String> arguments = List.of(Long.toString(now.toEpochMilli()));
    while (eval(RedisScripts.DELETE_EXPIRED, arguments) instanceof Long count
        && count >= EXPIRED_AT_ONCE) {
      // in pieces, so that others are served between them
    }
  }

  @Override
  public Optional<String> trouble() {
    try {
      return pool.call(this::judge);
    } catch (StoreUnavailable e) {
      return Optional.of("the session store does not answer: " + e.getMessage());
    }
  }

  private Optional<String> judge(RedisConnection connection) throws StoreUnavailable {
    String name = SessionStores.name(model());
    Map<String, String> replication = connection.info("replication");
    if (!"master".equals(replication.get("role"))) {
      return Optional.of("the Redis that is used is a replica, which takes no writes");
    }
    if (model() == PersistenceModel.OFF) {
      return Optional.ofNullable(commits.failing());
    }
    Map<String, String> memory = connection.info("memory");
    if (!"0".equals(memory.getOrDefault("maxmemory", "0"))
        && !"noeviction".equals(memory.get("maxmemory_policy"))) {
      return Optional.of(
          name
              + ": Redis may forget sessions when its memory is full: set maxmemory-policy"
              + " noeviction");
    }
    if (model() == PersistenceModel.BEST_EFFORT) {
      return "1".equals(connection.info("persistence").get("aof_enabled"))
          ? Optional.ofNullable(commits.failing())
          : Optional.of(name + " needs appendonly yes: this Redis forgets more than a second");
    }
    return "0".equals(replication.getOrDefault("connected_slaves", "0"))
        ? Optional.of(name + " needs a replica, and none is connected")
        : Optional.ofNullable(commits.failing());
  }

  @Override
  public void close() {
    commits.close();
    announcer.close();
    listeners.forEach(RedisListener::close);
    log.close();
    pool.close();
  }
}
