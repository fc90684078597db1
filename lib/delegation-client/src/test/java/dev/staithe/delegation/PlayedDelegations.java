package dev.staithe.delegation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service of delegation that is as bad as a test wants it: speaks the JSON of the real one over
 * plain HTTP, signs real proxies, and keeps an account of what it was asked.
 */
public final class PlayedDelegations implements AutoCloseable {
  private final HttpServer server;
  private final Clock clock;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, Credential> held = new ConcurrentHashMap<>();
  private final Map<String, RequestedKey> pending = new ConcurrentHashMap<>();
  private volatile Duration lifetime = Duration.ofHours(1);
  private volatile int refusing;
  private volatile String told = "{}";
  private volatile Credential otherSigner;
  private volatile PublicKey otherKey;

  public PlayedDelegations(Clock clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::serve);
    server.start();
  }

  /** A person's certificate for two days. */
  public static Credential person(CertificateIssuer authority, String name) {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    return new Credential(
        key.key(),
        List.of(
            authority.issuePerson(
                PersonCertificateRequest.of(
                    DistinguishedName.parse(name), key.publicKey(), Duration.ofDays(2)),
                CertificateProfile.plain())));
  }

  /** A proxy of somebody, for a fresh key. */
  public static Credential proxy(Credential of, Duration lifetime, Clock clock) {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    return new Credential(key.key(), signed(of, key.publicKey(), lifetime, clock).chain());
  }

  private static ProxySigning.Signed signed(
      Credential by, PublicKey key, Duration lifetime, Clock clock) {
    return (ProxySigning.Signed) ProxySigner.sign(by, key, ProxyTerms.of(lifetime), clock);
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  /** Holds a delegation of that id, made of a person's certificate. */
  public void hold(String id, Credential delegated) {
    held.put(id, delegated);
  }

  /** What was put under an id. */
  public Credential held(String id) {
    return held.get(id);
  }

  /** Methods and paths, in their order. */
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /** Of what is given out from now on. */
  public void lifetime(Duration other) {
    lifetime = other;
  }

  /** Answers all from now on with that status; 0 for as usual. */
  public void refuse(int status) {
    refusing = status;
  }

  /** Tells that of whatever is looked at from now on. */
  public void tell(String json) {
    told = json;
  }

  /** Signs what is acquired with a person's certificate that was not delegated. */
  public void signWith(Credential other) {
    otherSigner = other;
  }

  /** Signs another key than that of the acquirer. */
  public void signKey(PublicKey other) {
    otherKey = other;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(exchange.getRequestMethod() + " " + path);
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (refusing != 0) {
        answer(exchange, refusing, "{\"message\":\"not now\"}");
      } else if (path.endsWith("/acquire")) {
        acquire(exchange, path.split("/")[3], JsonMapper.shared().readTree(body));
      } else if (path.endsWith("/credential")) {
        put(exchange, path.split("/")[3], new String(body, StandardCharsets.UTF_8));
      } else if (exchange.getRequestMethod().equals("GET")) {
        answer(exchange, 200, told);
      } else if (path.equals("/api/delegations")) {
        begin(exchange, JsonMapper.shared().readTree(body).path("id").asString("usual"));
      } else {
        answer(exchange, 404, "{}");
      }
    } catch (PemException e) {
      throw new AssertionError(e);
    }
  }

  private void begin(HttpExchange exchange, String id) throws IOException {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    pending.put(id, key);
    answer(
        exchange,
        201,
        JsonMapper.shared().writeValueAsString(Map.of("id", id, "request", key.pem())));
  }

  private void put(HttpExchange exchange, String id, String pem) throws IOException {
    held.put(
        id, new Credential(pending.remove(id).key(), Pem.parseCertificates(pem, "what was put")));
    answer(exchange, 200, "{}");
  }

  private void acquire(HttpExchange exchange, String id, JsonNode asked) throws IOException {
    Credential by = otherSigner == null ? held.get(id) : otherSigner;
    if (by == null) {
      answer(exchange, 404, "{\"error\":\"unknown\",\"message\":\"there is no such delegation\"}");
      return;
    }
    PublicKey key =
        ((CertificateRequest.Accepted)
                CertificateRequest.read(
                    asked.path("request").asString().getBytes(StandardCharsets.US_ASCII),
                    KeyRules.standard()))
            .key();
    ProxySigning.Signed signed = signed(by, otherKey == null ? key : otherKey, lifetime, clock);
    answer(
        exchange,
        200,
        JsonMapper.shared()
            .writeValueAsString(Map.of("id", id, "chain", Pem.encode(signed.chain()))));
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
