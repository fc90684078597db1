package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.http.HeaderField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that areas name as partners: their keys, from their well-known addresses by TLS, and
 * requests to them. Nobody else is asked anything. Thread-safe.
 */
final class Partners implements AutoCloseable {
  private static final Duration FRESH = Duration.ofHours(1);

  /** Between two questions for a key that was not there. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private static final int MOST_BYTES = 128 * 1024;

  private final PartnerConnections connections;
  private final Clock clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> asking = new ConcurrentHashMap<>();

  /** Those that were asked in vain, and when that ended. */
  private final Map<String, Failed> failed = new ConcurrentHashMap<>();

  /**
   * A partner that could not be asked.
   *
   * @param ended by {@link System#nanoTime}
   */
  private record Failed(IOException why, long ended) {}

  /**
   * What is known of a partner.
   *
   * @param keys by their id
   * @param log that it keeps
   * @param asked when
   */
  record Known(Map<String, PartyKey> keys, LogVerifier log, Instant asked) {
    /**
     * One of the keys.
     *
     * @param host whose they are
     * @throws BadSignature where it is none of them
     */
    PartyKey key(String host, String keyId) throws BadSignature {
      PartyKey key = keys.get(keyId);
      if (key == null) {
        throw new BadSignature("the signature is by no key that " + host + " publishes");
      }
      return key;
    }
  }

  /** A partner that could not be reached, or whose answer never came. */
  static final class NoAnswer extends IOException {
    private static final long serialVersionUID = 1L;

    NoAnswer(String line, IOException cause) {
      super(line, cause);
    }
  }

  /**
   * Knows none yet.
   *
   * @param engines make an engine in client mode for host and port
   */
  Partners(BiFunction<String, Integer, SSLEngine> engines, Clock clock) {
    this.connections = new PartnerConnections(engines, MOST_BYTES);
    this.clock = clock;
  }

  /**
   * A partner's keys. Who waits while others ask in vain does not ask once more: else of many the
   * last would wait as often as there are others.
   *
   * @param host {@code host:port}, one that an area names
   * @param keyId that is looked for; where it is unknown, the partner is asked anew
   * @throws IOException with one line where it cannot be asked
   */
  Known of(String host, String keyId) throws IOException {
    Known before = known.get(host);
    if (before != null && good(before, keyId)) {
      return before;
    }
    long came = System.nanoTime();
    ReentrantLock lock = asking.computeIfAbsent(host, h -> new ReentrantLock());
    lock.lock();
    try {
      Known now = known.get(host);
      if (now != null && good(now, keyId)) {
        return now;
      }
      Failed last = failed.get(host);
      if (last != null && last.ended() - came > 0) {
        throw last.why();
      }
      Known fresh = asked(host);
      known.put(host, fresh);
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  private Known asked(String host) throws IOException {
    try {
      return ask(host);
    } catch (IOException e) {
      failed.put(host, new Failed(e, System.nanoTime()));
      throw e;
    }
  }

  private boolean good(Known of, String keyId) {
    Instant now = clock.instant();
    // What was asked while the clock was ahead would be fresh until it is as late as that.
    return !of.asked().isAfter(now.plus(PAUSE))
        && of.asked().plus(FRESH).isAfter(now)
        && (keyId.isEmpty() || of.keys().containsKey(keyId) || of.asked().plus(PAUSE).isAfter(now));
  }

  private Known ask(String host) throws IOException {
    try {
      String keys = new String(get(host, ContractController.DIRECTORY), StandardCharsets.UTF_8);
      Map<String, Object> described =
          JSONObjectUtils.parse(
              new String(get(host, ContractController.HOST), StandardCharsets.UTF_8), MOST_BYTES);
      String log = JSONObjectUtils.getString(described, "log");
      if (log == null) {
        throw new IOException(host + " names no log");
      }
      return new Known(PartyKey.readSet(keys), LogVerifier.parse(log), clock.instant());
    } catch (ParseException | IllegalArgumentException malformed) {
      throw new IOException(host + " publishes keys that cannot be read", malformed);
    }
  }

  /** The key of its log, as the host says it now. */
  LogVerifier log(String host) throws IOException {
    return ask(host).log();
  }

  /** What a partner has at a path. */
  byte[] get(String host, String path) throws IOException {
    PartnerConnections.Answer answer = send(host, path, List.of(), null);
    if (answer.status() != 200) {
      throw new IOException("https://" + host + path + " answered " + answer.status());
    }
    return answer.body();
  }

  /**
   * Sends a request to a partner that may be sent twice: a GET, or a POST where it has a body.
   *
   * @throws NoAnswer with one line, where there is none
   */
  PartnerConnections.Answer send(
      String host, String path, List<HeaderField> fields, byte @Nullable [] body)
      throws IOException {
    try {
      return connections.send(host, path, fields, body);
    } catch (IOException e) {
      throw new NoAnswer(host + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
