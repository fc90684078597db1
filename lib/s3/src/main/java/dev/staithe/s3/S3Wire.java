package dev.staithe.s3;

import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests, sends them and reads answers; tries again what passes, as often as the settings
 * say. Safe for use by many threads.
 */
final class S3Wire implements AutoCloseable {
  /** Of a listing of a thousand keys of a thousand bytes, each of them escaped. */
  private static final int MOST_ANSWER = 8 << 20;

  private static final int SLICE = 1 << 20;
  private static final int SMALL = 64 * 1024;
  private static final int SLOWLY = 10;

  private final S3Endpoint endpoint;
  private final S3Settings settings;
  private final RenewedCredentials credentials;
  private final Clock clock;
  private final SignatureV4 signature;
  private final EngineClock engineClock;
  private final EngineConnections connections;
  private volatile BodyCheck check = BodyCheck.MD5;

  S3Wire(
      S3Endpoint endpoint,
      S3Settings settings,
      RenewedCredentials credentials,
      BiFunction<String, Integer, SSLEngine> engines,
      Clock clock) {
    this.endpoint = endpoint;
    this.settings = settings;
    this.credentials = credentials;
    this.clock = clock;
    this.signature = new SignatureV4(endpoint.region());
    this.engineClock = new EngineClock(clock);
    this.connections = new EngineConnections(endpoint, settings, engines);
  }

  /** How bodies of objects are checked from now on. */
  void check(BodyCheck how) {
    check = how;
  }

  S3Endpoint endpoint() {
    return endpoint;
  }

  EngineClock engineClock() {
    return engineClock;
  }

  /**
   * An answer whose body is still to be read; ends with {@link #end}.
   *
   * @param attempt from 1
   */
  record Open(HttpConnection connection, ResponseHead head, int attempt) {}

  /**
   * Performs a request and reads its whole answer.
   *
   * @param pass statuses from 300 on that are an answer here and no failure
   */
  S3Answer perform(S3Request request, Set<Integer> pass) throws S3Failure {
    long begun = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      S3Credentials with = credentials.current();
      try {
        S3Answer answer = finish(request, send(request, attempt));
        S3Failure failure = S3Errors.failure(endpoint, engineClock, request, answer, pass);
        if (failure == null) {
          return answer;
        }
        throw failure;
      } catch (S3Failure failure) {
        prepareAgain(request, failure, attempt, begun, with);
      }
    }
  }

  /**
   * Performs a request and leaves the body of a success to the caller.
   *
   * @param reader at whose pace it is read; null: it is read at once
   * @return null for a status of {@code pass}
   */
  @Nullable Open open(S3Request request, Set<Integer> pass, @Nullable String reader)
      throws S3Failure {
    if (reader == null) {
      return opened(request, pass);
    }
    connections.takeBody(reader);
    Open open = null;
    try {
      open = opened(request, pass);
      return open;
    } finally {
      if (open == null) {
        connections.giveBody(reader);
      }
    }
  }

  private @Nullable Open opened(S3Request request, Set<Integer> pass) throws S3Failure {
    long begun = System.nanoTime();
    for (int attempt = 1; ; attempt++) {
      S3Credentials with = credentials.current();
      try {
        Open open = send(request, attempt);
        if (open.head().status() < 300) {
          return open;
        }
        S3Failure failure =
            S3Errors.failure(endpoint, engineClock, request, finish(request, open), pass);
        if (failure == null) {
          return null;
        }
        throw failure;
      } catch (S3Failure failure) {
        prepareAgain(request, failure, attempt, begun, with);
      }
    }
  }

  /** Ends what {@link #open} began. */
  void end(Open open, boolean whole, @Nullable String reader) {
    if (reader != null) {
      connections.giveBody(reader);
    }
    leave(open, whole);
  }

  private void leave(Open open, boolean whole) {
    if (whole) {
      connections.give(open.connection());
    } else {
      connections.drop(open.connection());
    }
  }

  /** A URL that lets whoever has it make one request for that long, at most a week. */
  String presigned(
      S3Endpoint at, String method, String key, Duration life, Map<String, String> query) {
    String path = at.path(key);
    return (at.https() ? "https://" : "http://")
        + at.authority()
        + path
        + "?"
        + signature.presigned(
            credentials.current(), method, at.authority(), path, clock.instant(), life, query);
  }

  /** Returns where another attempt is worth it, after a pause that grows; throws where not. */
  private void prepareAgain(
      S3Request request, S3Failure failure, int attempt, long begun, S3Credentials with)
      throws S3Failure {
    boolean renewed = mayBeDenied(request, failure) && credentials.renewedSince(with);
    long spent = System.nanoTime() - begun;
    if (attempt >= settings.attempts()
        || !renewed && !failure.passes()
        || spent > 2 * patience(request).toNanos()) {
      throw failure;
    }
    if (!renewed) {
      long pause = settings.pause().toMillis() << Math.min(attempt - 1, 10);
      try {
        // Not all at the same moment, who were told to come back at the same moment.
        Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure;
      }
    }
  }

  /** What answers HEAD has no room for the code: that of a token that is over comes with 400. */
  private static boolean mayBeDenied(S3Request request, S3Failure failure) {
    return failure.kind() == S3Failure.Kind.DENIED
        || failure.kind() == S3Failure.Kind.REFUSED && request.method().equals("HEAD");
  }

  private Duration patience(S3Request request) {
    return request.slow() ? settings.answer().multipliedBy(SLOWLY) : settings.answer();
  }

  private S3Failure broken(IOException failure) {
    String line = failure.getMessage() == null ? "the connection broke" : failure.getMessage();
    S3Failure.Kind kind =
        failure instanceof HttpFailure http
                && (http.kind() == HttpFailure.Kind.MALFORMED
                    || http.kind() == HttpFailure.Kind.OTHER_PROTOCOL)
            ? S3Failure.Kind.MALFORMED
            : S3Failure.Kind.UNREACHABLE;
    return new S3Failure(
        kind, "the object store " + endpoint.hostPort() + " cannot be used: " + line, failure);
  }

  /** One attempt; what is kept from before and was closed meanwhile counts as none. */
  private Open send(S3Request request, int attempt) throws S3Failure {
    HttpConnection kept = connections.take(request.slow(), patience(request));
    try {
      return new Open(kept, sendOn(kept, request), attempt);
    } catch (IOException broken) {
      boolean stale = kept.wasStale();
      connections.drop(kept);
      if (!stale) {
        throw broken(broken);
      }
    }
    HttpConnection fresh = connections.take(true, patience(request));
    try {
      // Whoever closed it may have done what the first request said.
      return new Open(fresh, sendOn(fresh, request), attempt + 1);
    } catch (IOException broken) {
      connections.drop(fresh);
      throw broken(broken);
    }
  }

  /** Where it fails by itself, as for want of memory, there is no use for the connection either. */
  private ResponseHead sendOn(HttpConnection connection, S3Request request) throws IOException {
    try {
      return exchange(connection, request);
    } catch (RuntimeException | Error e) {
      connections.drop(connection);
      throw e;
    }
  }

  private ResponseHead exchange(HttpConnection connection, S3Request request) throws IOException {
    connection.begin(request.method(), request.hasBody());
    connection.send(head(request));
    try {
      for (ByteBuffer part : request.body()) {
        int end = part.limit();
        for (int from = part.position(); from < end; from += SLICE) {
          ResponseHead early = connection.earlyResponse();
          if (early != null) {
            engineClock.heard(early.fields());
            return early; // Refused; the rest is not sent, nor the connection used again.
          }
          connection.send(part.slice(from, Math.min(SLICE, end - from)));
        }
      }
    } catch (IOException broken) {
      ResponseHead last = connection.lastWords();
      if (last != null) {
        return last;
      }
      throw broken;
    }
    connection.bodySent();
    ResponseHead answer = connection.receive();
    engineClock.heard(answer.fields());
    return answer;
  }

  private ByteBuffer head(S3Request request) {
    S3Credentials with = credentials.current();
    SortedMap<String, String> fields = new TreeMap<>(request.fields());
    fields.put("host", endpoint.authority());
    fields.put("x-amz-date", SignatureV4.time(clock.instant()));
    if (!with.sessionToken().isEmpty()) {
      fields.put("x-amz-security-token", with.sessionToken());
    }
    if (request.hasBody()) {
      fields.put("content-length", Long.toString(request.length()));
    }
    digest(request, fields);
    String path = endpoint.path(request.key());
    String authorization =
        signature.authorization(with, request.method(), path, request.query(), fields);
    StringBuilder text = new StringBuilder(1024);
    text.append(request.method()).append(' ').append(path);
    if (!request.query().isEmpty()) {
      text.append('?').append(S3Text.query(request.query()));
    }
    text.append(" HTTP/1.1\r\n");
    fields.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    text.append("user-agent: Staithe\r\naccept: */*\r\nauthorization: ");
    text.append(authorization).append("\r\n\r\n");
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Small bodies, and those of POST, in both ways: some requests are refused without {@code
   * Content-MD5}.
   */
  private void digest(S3Request request, SortedMap<String, String> fields) {
    if (fields.containsKey("x-amz-content-sha256")) {
      return; // Whoever asks says it, as the probe does.
    }
    if (request.length() == 0) {
      fields.put("x-amz-content-sha256", SignatureV4.EMPTY);
      return;
    }
    boolean small = request.length() <= SMALL || request.method().equals("POST");
    if (small || check == BodyCheck.MD5) {
      fields.computeIfAbsent(
          "content-md5", name -> Base64.getEncoder().encodeToString(digest("MD5", request)));
    }
    fields.put(
        "x-amz-content-sha256",
        small || check == BodyCheck.SHA_256
            ? SignatureV4.hex(digest("SHA-256", request))
            : SignatureV4.UNSIGNED);
  }

  private static byte[] digest(String algorithm, S3Request request) {
    MessageDigest digest = SignatureV4.digest(algorithm);
    request.body().forEach(part -> digest.update(part.duplicate()));
    return digest.digest();
  }

  /**
   * Reads the answer to its end and gives the connection back, but for one of a slow request, whose
   * patience the next one would have too.
   */
  private S3Answer finish(S3Request request, Open open) throws S3Failure {
    byte[] body;
    boolean read = false;
    try {
      body = whole(open.connection().body());
      read = true;
    } catch (IOException broken) {
      throw broken(broken);
    } finally {
      leave(open, read && !request.slow());
    }
    ResponseHead head = open.head();
    return new S3Answer(head.status(), head.fields(), body, open.attempt());
  }

  private static byte[] whole(ResponseBody body) throws IOException {
    var bytes = new ByteArrayOutputStream(Math.clamp(body.length(), 0, MOST_ANSWER));
    for (ByteBuffer slice = body.next(); slice != null; slice = body.next()) {
      if (bytes.size() + slice.remaining() > MOST_ANSWER) {
        throw new HttpFailure(HttpFailure.Kind.MALFORMED, "its answer does not end");
      }
      byte[] some = new byte[slice.remaining()];
      slice.get(some);
      bytes.write(some, 0, some.length);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    connections.close();
  }
}
