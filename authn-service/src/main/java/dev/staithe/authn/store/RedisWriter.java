package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch by one script, and waits for as many replicas as the model says. {@code WAIT} and
 * {@code WAITAOF} count those that have what this connection wrote; a smaller count is no
 * acknowledgement, and they are asked again until it is.
 */
final class RedisWriter implements BatchWriter {
  private static final Duration SILENCE = Duration.ofSeconds(3);
  private static final Duration ONE_WAIT = Duration.ofMillis(500);

  /** An ended session's record stays so long, so that lists can be cleared of it in good order. */
  private static final Duration GRACE = Duration.ofDays(1);

  private final StoreSettings.Redis settings;
  private volatile @Nullable RedisConnection connection;
  private volatile boolean aborted;
  private boolean onDisk;

  RedisWriter(StoreSettings.Redis settings) {
    this.settings = settings;
  }

  @Override
  public void write(List<Write> batch) throws StoreUnavailable {
    try {
      RedisConnection open = connection();
      List<String> arguments = new ArrayList<>();
      arguments.add(RedisScripts.WRITE);
      arguments.add("1");
      arguments.add(RedisScripts.PREFIX);
      arguments.add(Long.toString(PostgresEpoch.fresh()));
      batch.forEach(each -> add(each, arguments));
      open.run("EVAL", arguments.toArray());
      if (settings.model().assured()) {
        awaitReplicas(open);
      }
    } catch (StoreUnavailable e) {
      drop();
      throw e;
    }
  }

  private RedisConnection connection() throws StoreUnavailable {
    RedisConnection open = connection;
    if (open == null) {
      open = RedisConnection.open(settings.address(), SILENCE);
      connection = open;
      onDisk =
          waitsForDisks(open.info("server").getOrDefault("redis_version", ""))
              && "1".equals(open.info("persistence").get("aof_enabled"));
    }
    return open;
  }

  /** {@code WAITAOF} came with 7.2. */
  private static boolean waitsForDisks(String version) {
    String[] parts = version.split("\\.");
    try {
      int major = Integer.parseInt(parts[0]);
      return major > 7 || major == 7 && parts.length > 1 && Integer.parseInt(parts[1]) >= 2;
    } catch (NumberFormatException unknown) {
      return false;
    }
  }

  static void add(Write write, List<String> arguments) {
    switch (write) {
      case Write.Open it -> addSession(it.session(), arguments);
      case Write.End it -> it.revocations().forEach(each -> addRevocation(each, arguments));
      case Write.Remove it -> arguments.addAll(List.of("remove", it.session().id().toString()));
      case Write.Begin it -> arguments.addAll(List.of("begin", Long.toString(it.epoch())));
    }
  }

  private static void addSession(Session session, List<String> arguments) {
    arguments.addAll(
        List.of(
            "open",
            session.id().toString(),
            session.subject(),
            Long.toString(session.created().toEpochMilli()),
            Long.toString(session.expires().toEpochMilli()),
            Long.toString(session.lastUse().toEpochMilli()),
            Integer.toString(session.assurance().level()),
            session.address(),
            session.client(),
            Long.toString(session.expires().plus(GRACE).toEpochMilli())));
  }

  private static void addRevocation(Revocation revocation, List<String> arguments) {
    String expires = Long.toString(revocation.expires().toEpochMilli());
    switch (revocation) {
      case Revocation.OfSession it ->
          arguments.addAll(List.of("session", it.id().toString(), expires));
      case Revocation.OfUser it ->
          arguments.addAll(
              List.of("user", it.subject(), Long.toString(it.notBefore().toEpochMilli()), expires));
    }
  }

  private void awaitReplicas(RedisConnection open) throws StoreUnavailable {
    while (true) {
      long wanted = settings.model() == PersistenceModel.ASSURED_READ ? connected(open) : 1;
      String time = Long.toString(ONE_WAIT.toMillis());
      String number = Long.toString(wanted);
      if (onDisk) {
        List<?> counts = RedisConnection.list(open.run("WAITAOF", "1", number, time));
        if (counts.size() == 2
            && counts.get(0) instanceof Long here
            && counts.get(1) instanceof Long there
            && here >= 1
            && there >= wanted) {
          return;
        }
      } else if (open.number("WAIT", number, time) >= wanted) {
        return;
      }
      if (aborted) {
        throw new StoreUnavailable("Redis: not acknowledged by " + wanted + " replica(s)");
      }
    }
  }

  /** All that are connected now, and one at least. */
  private static long connected(RedisConnection open) throws StoreUnavailable {
    Map<String, String> replication = open.info("replication");
    return Math.max(1, Long.parseLong(replication.getOrDefault("connected_slaves", "0")));
  }

  /** Readers wait at the log itself. */
  @Override
  public void rest() {}

  private void drop() {
    RedisConnection broken = connection;
    connection = null;
    if (broken != null) {
      broken.close();
    }
  }

  @Override
  public void abort() {
    aborted = true;
    RedisConnection hanging = connection;
    if (hanging != null) {
      hanging.close();
    }
  }
}
