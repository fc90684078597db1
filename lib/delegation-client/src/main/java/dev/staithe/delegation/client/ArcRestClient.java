package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.grid.ProxyTerms;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An ARC computing element (A-REX) by the REST interface of all of its clients today, version 1.0
 * ("ARC REST interface specification", section 4). Whoever the client shows itself as in TLS is the
 * delegator. Thread-safe.
 */
public final class ArcRestClient {
  private static final String DELEGATIONS = "/rest/1.0/delegations";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,200}");
  private static final Map<String, String> PEM_WANTED = Map.of("Accept", "application/x-pem-file");

  private final Exchange exchange;
  private final String delegations;
  private final Clock clock;

  /**
   * Opens nothing yet.
   *
   * @param http one that follows no redirects and shows a certificate; see {@link Connections}
   * @param service the address of the computing element, as {@code https://ce.example.org/arex}
   */
  public ArcRestClient(HttpClient http, URI service, Clock clock) {
    this.exchange = new Exchange(http);
    String base = service.toString().replaceFirst("/rest(/1\\.[0-9]+)?/?$|/$", "");
    this.delegations = base + DELEGATIONS;
    this.clock = clock;
  }

  /**
   * Lets the computing element make a key and signs it.
   *
   * @param by whose certificate signs
   */
  public Outcome<HeldDelegation> delegate(Credential by, ProxyTerms terms) {
    return switch (send("POST", "?action=new", PEM_WANTED, "")) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) -> {
        // The location ends with the id, and what is before it is not always an address.
        String id = reply.location().substring(reply.location().lastIndexOf('/') + 1);
        yield ID.matcher(id).matches()
            ? signed(by, id, reply.text(), terms)
            : Outcome.refused(Kind.BAD_ANSWER, "the service answers without an id");
      }
    };
  }

  /** Gives a delegation that exists a new proxy. */
  public Outcome<HeldDelegation> renew(Credential by, String id, ProxyTerms terms) {
    return switch (about(id, "renew")) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) ->
          signed(by, id, reply.text(), terms);
    };
  }

  /** When what was delegated ends. */
  public Outcome<Instant> end(String id) {
    return switch (about(id, "get")) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) -> {
        try {
          yield new Outcome.Done<>(
              Signing.notAfter(Pem.parseCertificates(reply.text(), "the answer")));
        } catch (PemException e) {
          yield Outcome.refused(Kind.BAD_ANSWER, "the service answers without certificates");
        }
      }
    };
  }

  /** Ends a delegation. */
  public Outcome<String> destroy(String id) {
    return switch (about(id, "delete")) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply> _ -> new Outcome.Done<>(id);
    };
  }

  private Outcome<Exchange.Reply> about(String id, String action) {
    return ID.matcher(id).matches()
        ? send("POST", "/" + id + "?action=" + action, PEM_WANTED, "")
        : Outcome.refused(Kind.UNKNOWN, "no such delegation");
  }

  private Outcome<HeldDelegation> signed(
      Credential by, String id, String request, ProxyTerms terms) {
    return switch (Signing.sign(by, request, terms, KeyRules.standard(), clock)) {
      case Outcome.Refused<Signing.Signed> refused -> refused.to();
      case Outcome.Done<Signing.Signed>(Signing.Signed signed) ->
          switch (send(
              "PUT", "/" + id, Map.of("Content-Type", "application/x-pem-file"), signed.pem())) {
            case Outcome.Refused<Exchange.Reply> refused -> refused.to();
            case Outcome.Done<Exchange.Reply> _ ->
                new Outcome.Done<>(new HeldDelegation(id, signed.notAfter()));
          };
    };
  }

  private Outcome<Exchange.Reply> send(
      String method, String where, Map<String, String> headers, String body) {
    return switch (exchange.send(
        method,
        URI.create(delegations + where),
        headers,
        body.getBytes(StandardCharsets.US_ASCII))) {
      case Outcome.Refused<Exchange.Reply> refused -> refused;
      case Outcome.Done<Exchange.Reply> done ->
          done.value().status() / 100 == 2 ? done : refused(done.value());
    };
  }

  /** What a computing element says of itself is a page, or a word behind the status. */
  private static Outcome<Exchange.Reply> refused(Exchange.Reply reply) {
    @Nullable String said = reply.type().startsWith("text/plain") ? reply.text().strip() : null;
    Kind kind = DelegationJson.kind(reply.status());
    return Outcome.refused(
        kind,
        kind == Kind.UNKNOWN
            ? "the service has no such delegation"
            : "the service answers HTTP "
                + reply.status()
                + (said == null || said.isEmpty() ? "" : ": " + said));
  }
}
