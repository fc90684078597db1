package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyTerms;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A delegation-service by its own JSON: the one of the three languages in which a delegator says
 * who may acquire. Whoever the client shows itself as in TLS is the delegator, or the acquirer.
 * Thread-safe.
 */
public final class DelegationApi {
  private static final String JSON = "application/json";
  private static final String PEM = "application/x-pem-file";

  private final Exchange exchange;
  private final URI delegations;
  private final Clock clock;

  /**
   * Opens nothing yet.
   *
   * @param http one that follows no redirects and shows a certificate; see {@link Connections}
   * @param service its URL, as {@code https://delegation.example.org:8446/}
   */
  public DelegationApi(HttpClient http, URI service, Clock clock) {
    this(http, service, Exchange.PATIENCE, clock);
  }

  /**
   * Opens nothing yet.
   *
   * @param http as above
   * @param service as above
   * @param patience until an answer is whole, connecting included; positive
   */
  public DelegationApi(HttpClient http, URI service, Duration patience, Clock clock) {
    this.exchange = new Exchange(http, patience);
    String base = service.toString();
    this.delegations = URI.create((base.endsWith("/") ? base : base + "/") + "api/delegations");
    this.clock = clock;
  }

  /**
   * Lets the service make a key and signs it. Where there is a delegation of the id already, it is
   * renewed: what it had stays usable until the new proxy is there.
   *
   * @param by whose certificate signs; the one that the client shows, or one that it signed
   */
  public Outcome<HeldDelegation> delegate(Credential by, DelegationWish wish) {
    ObjectNode body = object();
    if (wish.id() != null) {
      body.put("id", wish.id());
    }
    if (wish.key() != null) {
      body.put("key", DelegationJson.key(wish.key()));
    }
    if (wish.rules() != null) {
      body.set("rules", DelegationJson.write(wish.rules()));
    }
    return signed(by, json("POST", delegations, body), wish.terms());
  }

  /** Gives a delegation that exists a new proxy; its rules stay as they are. */
  public Outcome<HeldDelegation> renew(Credential by, String id, ProxyTerms terms) {
    return signed(by, json("POST", at(id, "/request"), null), terms);
  }

  /** One of the caller's own. */
  public Outcome<Delegation> look(String id) {
    return switch (json("GET", at(id, ""), null)) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode>(JsonNode told) -> DelegationJson.read(told);
    };
  }

  /** The caller's own. */
  public Outcome<List<Delegation>> list() {
    return switch (json("GET", delegations, null)) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode>(JsonNode told) -> {
        var found = new ArrayList<Delegation>();
        for (JsonNode each : told.isArray() ? told : told.path("delegations")) {
          switch (DelegationJson.read(each)) {
            case Outcome.Done<Delegation>(Delegation one) -> found.add(one);
            case Outcome.Refused<Delegation> refused -> {
              yield refused.to();
            }
          }
        }
        yield new Outcome.Done<>(List.copyOf(found));
      }
    };
  }

  /** Gives a delegation other rules; what was used stays counted. */
  public Outcome<String> allow(String id, AcquireRules rules) {
    return switch (json("PUT", at(id, "/rules"), DelegationJson.write(rules))) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode> _ -> new Outcome.Done<>(id);
    };
  }

  /** Ends a delegation: no more is acquired from it. What was acquired lives on. */
  public Outcome<String> destroy(String id) {
    return switch (json("DELETE", at(id, ""), null)) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode> _ -> new Outcome.Done<>(id);
    };
  }

  /** Gets a proxy for a fresh key, which never leaves this process. */
  public Outcome<Acquired> acquire(String id, AcquireWish wish) {
    return acquire(at(id, "/acquire"), wish);
  }

  /**
   * The same from the only delegation of the wish's delegator which names us, whatever its id; a
   * refusal of the kind {@link Kind#CONFLICT} where there are several.
   *
   * @throws IllegalArgumentException where the wish has no delegator
   */
  public Outcome<Acquired> acquireAny(AcquireWish wish) {
    if (wish.delegator() == null) {
      throw new IllegalArgumentException("neither an id nor a delegator");
    }
    return acquire(URI.create(delegations + "/-/acquire"), wish);
  }

  private Outcome<Acquired> acquire(URI from, AcquireWish wish) {
    RequestedKey key = RequestedKey.make(wish.key());
    ObjectNode body = object();
    body.put("request", key.pem());
    if (wish.delegator() != null) {
      body.put("delegator", wish.delegator().name());
    }
    if (wish.lifetime() != null) {
      body.put("lifetime", wish.lifetime().toSeconds());
    }
    if (wish.pathLength() != null) {
      body.put("pathLength", wish.pathLength().intValue());
    }
    if (wish.limited()) {
      body.put("limited", true);
    }
    return switch (json("POST", from, body)) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode>(JsonNode told) ->
          ProxyChainCheck.check(key, told.path("chain").asString(""), wish.delegator(), clock);
    };
  }

  private Outcome<HeldDelegation> signed(Credential by, Outcome<JsonNode> begun, ProxyTerms terms) {
    return switch (begun) {
      case Outcome.Refused<JsonNode> refused -> refused.to();
      case Outcome.Done<JsonNode>(JsonNode told) -> {
        String id = told.path("id").asString("");
        String request = told.path("request").asString("");
        yield id.isEmpty() || request.isEmpty()
            ? Outcome.refused(Kind.BAD_ANSWER, "the service answers without an id or a request")
            : put(by, id, request, terms);
      }
    };
  }

  private Outcome<HeldDelegation> put(Credential by, String id, String request, ProxyTerms terms) {
    return switch (Signing.sign(by, request, terms, KeyRules.standard(), clock)) {
      case Outcome.Refused<Signing.Signed> refused -> refused.to();
      case Outcome.Done<Signing.Signed>(Signing.Signed signed) ->
          switch (send("PUT", at(id, "/credential"), PEM, signed.pem())) {
            case Outcome.Refused<JsonNode> refused -> refused.to();
            case Outcome.Done<JsonNode> _ ->
                new Outcome.Done<>(new HeldDelegation(id, signed.notAfter()));
          };
    };
  }

  private Outcome<JsonNode> json(String method, URI url, @Nullable JsonNode body) {
    return send(method, url, JSON, body == null ? "" : body.toString());
  }

  private Outcome<JsonNode> send(String method, URI url, String type, String body) {
    Map<String, String> headers =
        body.isEmpty() ? Map.of("Accept", JSON) : Map.of("Accept", JSON, "Content-Type", type);
    return switch (exchange.send(method, url, headers, body.getBytes(StandardCharsets.UTF_8))) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) -> judged(reply);
    };
  }

  private static Outcome<JsonNode> judged(Exchange.Reply reply) {
    boolean good = reply.status() / 100 == 2;
    JsonNode told = object();
    if (reply.body().length > 0 && reply.type().contains("json")) {
      try {
        told = JsonMapper.shared().readTree(reply.body());
      } catch (JacksonException e) {
        if (good) {
          return Outcome.refused(Kind.BAD_ANSWER, "the service's answer is no JSON");
        }
      }
    }
    return good
        ? new Outcome.Done<>(told)
        : Outcome.refused(DelegationJson.kind(reply.status(), told), line(reply, told));
  }

  private static String line(Exchange.Reply reply, JsonNode told) {
    String line = told.path("message").asString(told.path("detail").asString(""));
    if (line.isEmpty() && reply.type().startsWith("text/plain")) {
      line = reply.text();
    }
    return line.isEmpty() ? "the service answers HTTP " + reply.status() : line;
  }

  private URI at(String id, String rest) {
    return URI.create(
        delegations
            + "/"
            + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20")
            + rest);
  }

  private static ObjectNode object() {
    return JsonMapper.shared().createObjectNode();
  }
}
