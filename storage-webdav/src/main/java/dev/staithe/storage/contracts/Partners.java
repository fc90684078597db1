package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.LogVerifier;
import dev.staithe.contracts.PartyKey;
import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
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

  private final BoundedFetch fetch;
  private final Clock clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> asking = new ConcurrentHashMap<>();

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

  Partners(@Nullable SSLContext tls, Clock clock) {
    this.fetch =
        new BoundedFetch(
            BoundedFetch.client(tls, Duration.ofSeconds(5)), Duration.ofSeconds(20), MOST_BYTES);
    this.clock = clock;
  }

  /**
   * A partner's keys.
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
    ReentrantLock lock = asking.computeIfAbsent(host, h -> new ReentrantLock());
    lock.lock();
    try {
      Known now = known.get(host);
      if (now != null && good(now, keyId)) {
        return now;
      }
      Known fresh = ask(host);
      known.put(host, fresh);
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  private boolean good(Known of, String keyId) {
    Instant now = clock.instant();
    return of.asked().plus(FRESH).isAfter(now)
        && (keyId.isEmpty() || of.keys().containsKey(keyId) || of.asked().plus(PAUSE).isAfter(now));
  }

  private Known ask(String host) throws IOException {
    try {
      String keys = text(host, ContractController.DIRECTORY);
      Map<String, Object> described =
          JSONObjectUtils.parse(text(host, ContractController.HOST), MOST_BYTES);
      String log = JSONObjectUtils.getString(described, "log");
      if (log == null) {
        throw new IOException(host + " names no log");
      }
      return new Known(PartyKey.readSet(keys), LogVerifier.parse(log), clock.instant());
    } catch (ParseException | IllegalArgumentException malformed) {
      throw new IOException(host + " publishes keys that cannot be read", malformed);
    }
  }

  private String text(String host, String path) throws IOException {
    return new String(get(host, "https://" + host + path), StandardCharsets.UTF_8);
  }

  /** The key of its log, as the host says it now. */
  LogVerifier log(String host) throws IOException {
    return ask(host).log();
  }

  /** What a partner has at an address of its own. */
  byte[] get(String host, String url) throws IOException {
    HttpResponse<byte[]> answer = send(host, HttpRequest.newBuilder(URI.create(url)).GET().build());
    if (answer.statusCode() != 200) {
      throw new IOException(url + " answered " + answer.statusCode());
    }
    return answer.body();
  }

  /** Sends a request to a partner. */
  HttpResponse<byte[]> send(String host, HttpRequest request) throws IOException {
    try {
      return fetch.send(request);
    } catch (IOException e) {
      throw new IOException(host + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    fetch.client().close();
  }
}
