package dev.staithe.testkit.trust;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A token issuer: a real server on 127.0.0.1 with OpenID Connect metadata and a key set, that makes
 * tokens, good and bad, and can be down, slow or lying. Thread-safe.
 */
public final class TokenIssuer implements AutoCloseable {
  private static final String METADATA = "/.well-known/openid-configuration";
  private static final String JWKS = "/jwks";

  /** How many different first keys there are. */
  private static final int KINDS = 16;

  private static final Map<Integer, SigningKey> FIRST_KEYS = new ConcurrentHashMap<>();
  private static final AtomicInteger MADE = new AtomicInteger();

  /**
   * An answer to put in place of the usual one.
   *
   * @param headers each once
   */
  public record Answer(int status, Map<String, String> headers, String body) {}

  private final @Nullable SSLContext tls;
  private final Clock clock;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger rotations = new AtomicInteger();
  private final Map<String, Answer> overrides = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile SigningKey key = firstKey();
  private volatile List<SigningKey> served = List.of(key);
  private volatile CountDownLatch open = new CountDownLatch(0);
  private HttpServer server;

  private TokenIssuer(@Nullable SSLContext tls, Clock clock) {
    this.tls = tls;
    this.clock = clock;
    this.server = listen(0);
  }

  /**
   * One of a few RSA keys in turn: to make one costs as much as a hundred requests. Issuers that
   * are made one after the other have different ones.
   */
  private static SigningKey firstKey() {
    return FIRST_KEYS.computeIfAbsent(
        Math.floorMod(MADE.getAndIncrement(), KINDS),
        _ -> SigningKey.generate("key-0", SigningKey.Algorithm.RS256));
  }

  /** An issuer at an http URL; for services that accept such on the loopback address. */
  public static TokenIssuer overHttp(Clock clock) {
    return new TokenIssuer(null, clock);
  }

  /** An issuer at an https URL whose certificate that authority has made. */
  public static TokenIssuer overHttps(ThrowAwayAuthority authority, Clock clock) {
    return overHttps(authority, authority.localhost(), clock);
  }

  /** An issuer at an https URL that shows this certificate, good for its name or not. */
  public static TokenIssuer overHttps(
      ThrowAwayAuthority authority, ThrowAwayAuthority.Host host, Clock clock) {
    return new TokenIssuer(authority.serverContext(host.credential()), clock);
  }

  private HttpServer listen(int port) {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      HttpServer made;
      if (tls == null) {
        made = HttpServer.create(address, 0);
      } else {
        HttpsServer secure = HttpsServer.create(address, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        made = secure;
      }
      made.setExecutor(threads);
      made.createContext("/", this::handle);
      made.start();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The issuer's URL, the {@code iss} of its tokens. */
  public String issuer() {
    return (tls == null ? "http" : "https") + "://localhost:" + port();
  }

  /** The port, the same one after {@link #comeBack}. */
  public synchronized int port() {
    return server.getAddress().getPort();
  }

  /** The key that new tokens are signed with. */
  public SigningKey key() {
    return key;
  }

  /** The key set as it is served now (JSON). */
  public String keySet() {
    return JSONObjectUtils.toJSONString(
        Map.of("keys", served.stream().map(SigningKey::publicJwk).toList()));
  }

  /** A token that a service with audience {@code https://localhost} would take. */
  public TokenDraft token() {
    return new TokenDraft(issuer(), key, clock);
  }

  /** Signs with a new key from now on and serves only that one. */
  public SigningKey rotate(SigningKey.Algorithm algorithm) {
    SigningKey fresh = SigningKey.generate("key-" + rotations.incrementAndGet(), algorithm);
    serveKeys(fresh);
    key = fresh;
    return fresh;
  }

  /** Serves these keys and no others. */
  public void serveKeys(SigningKey... keys) {
    served = List.of(keys);
  }

  /** Puts an answer in place of the usual one at a path such as {@code /jwks}. */
  public void answer(String path, Answer answer) {
    overrides.put(path, answer);
  }

  /** Refuses connections until {@link #comeBack}. */
  public synchronized void goDown() {
    server.stop(0);
  }

  /** Listens again at the same port. */
  public synchronized void comeBack() {
    server = listen(server.getAddress().getPort());
  }

  /** Takes requests but answers none until {@link #resume}. */
  public void stall() {
    open = new CountDownLatch(1);
  }

  /** Answers what it has stalled, and the rest. */
  public void resume() {
    open.countDown();
  }

  /** The paths asked for so far, in order. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      requests.add(path);
      open.await();
      Answer answer = overrides.getOrDefault(path, usual(path));
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Answer usual(String path) {
    Map<String, String> json = Map.of("Content-Type", "application/json");
    return switch (path) {
      case METADATA ->
          new Answer(
              200,
              json,
              JSONObjectUtils.toJSONString(
                  Map.of("issuer", issuer(), "jwks_uri", issuer() + JWKS)));
      case JWKS -> new Answer(200, json, keySet());
      default -> new Answer(404, Map.of(), "");
    };
  }

  @Override
  public void close() {
    resume();
    synchronized (this) {
      server.stop(0);
    }
    threads.shutdownNow();
  }
}
