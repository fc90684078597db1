package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.xml.XmlText;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * A service of the GridSite delegation interface: GridSite itself, gLite, CREAM, dCache's SRM, and
 * our own. Whoever the client shows itself as in TLS is the delegator. Thread-safe.
 */
public final class GridSiteClient {
  /** The two versions of the interface, which differ in their namespace and little else. */
  public enum Version {
    /** 1.1.0, rpc/literal. */
    V1_1("http://www.gridsite.org/namespaces/delegation-1"),
    /** 2.0.0, document/literal, wrapped. */
    V2_0("http://www.gridsite.org/namespaces/delegation-2");

    private final String namespace;

    Version(String namespace) {
      this.namespace = namespace;
    }
  }

  private final SoapCalls calls;
  private final Version version;
  private final KeyRules rules;
  private final Clock clock;

  /**
   * Opens nothing yet.
   *
   * @param http one that follows no redirects and shows a certificate; see {@link Connections}
   * @param service the address of the interface, as {@code
   *     https://host.example.org/gridsite-delegation.cgi}
   * @param rules which keys of the service are signed: old services make RSA keys of 1024 bits
   */
  public GridSiteClient(
      HttpClient http, URI service, Version version, KeyRules rules, Clock clock) {
    this.calls = new SoapCalls(http, service);
    this.version = version;
    this.rules = rules;
    this.clock = clock;
  }

  /**
   * Lets the service make a key and signs it.
   *
   * @param by whose certificate signs
   * @param id null for the one that the service gives
   */
  public Outcome<HeldDelegation> delegate(Credential by, @Nullable String id, ProxyTerms terms) {
    return id == null
        ? asked(
            by,
            calls.call(element("getNewProxyReq", ""), "getNewProxyReqResponse"),
            null,
            "proxyRequest",
            terms)
        : asked(
            by,
            calls.call(element("getProxyReq", delegationId(id)), "getProxyReqResponse"),
            id,
            "getProxyReqReturn",
            terms);
  }

  /** Gives a delegation that exists a new proxy. */
  public Outcome<HeldDelegation> renew(Credential by, String id, ProxyTerms terms) {
    return asked(
        by,
        calls.call(element("renewProxyReq", delegationId(id)), "renewProxyReqResponse"),
        id,
        "renewProxyReqReturn",
        terms);
  }

  /** When what was delegated ends. */
  public Outcome<Instant> terminationTime(String id) {
    return switch (calls.call(
        element("getTerminationTime", delegationId(id)), "getTerminationTimeResponse")) {
      case Outcome.Refused<Element> refused -> refused.to();
      case Outcome.Done<Element>(Element answer) ->
          SoapCalls.text(answer, "getTerminationTimeReturn")
              .<Outcome<Instant>>map(GridSiteClient::time)
              .orElseGet(() -> Outcome.refused(Kind.BAD_ANSWER, "the service tells no time"));
    };
  }

  /** Ends a delegation. */
  public Outcome<String> destroy(String id) {
    return switch (calls.tell(element("destroy", delegationId(id)), "destroyResponse")) {
      case Outcome.Refused<String> refused -> refused;
      case Outcome.Done<String> _ -> new Outcome.Done<>(id);
    };
  }

  private Outcome<HeldDelegation> asked(
      Credential by,
      Outcome<Element> asked,
      @Nullable String known,
      String requestIn,
      ProxyTerms terms) {
    return switch (asked) {
      case Outcome.Refused<Element> refused -> refused.to();
      case Outcome.Done<Element>(Element answer) -> {
        Optional<String> id =
            known == null ? SoapCalls.text(answer, "delegationID") : Optional.of(known);
        Optional<String> request = SoapCalls.text(answer, requestIn);
        yield id.isEmpty() || request.isEmpty()
            ? Outcome.refused(Kind.BAD_ANSWER, "the service answers without an id or a request")
            : put(by, id.get(), request.get(), terms);
      }
    };
  }

  private Outcome<HeldDelegation> put(Credential by, String id, String request, ProxyTerms terms) {
    return switch (Signing.sign(by, request, terms, rules, clock)) {
      case Outcome.Refused<Signing.Signed> refused -> refused.to();
      case Outcome.Done<Signing.Signed>(Signing.Signed signed) -> {
        String proxy = "<proxy>" + XmlText.escape(signed.pem()) + "</proxy>";
        yield switch (calls.tell(
            element("putProxy", delegationId(id) + proxy), "putProxyResponse")) {
          case Outcome.Refused<String> refused -> refused.to();
          case Outcome.Done<String> _ ->
              new Outcome.Done<>(new HeldDelegation(id, signed.notAfter()));
        };
      }
    };
  }

  /** The wrapper is qualified and what is in it is not, in both versions. */
  private String element(String name, String children) {
    return "<d:"
        + name
        + " xmlns:d=\""
        + version.namespace
        + "\">"
        + children
        + "</d:"
        + name
        + ">";
  }

  private static String delegationId(String id) {
    return "<delegationID>" + XmlText.escape(id) + "</delegationID>";
  }

  /** xsd:dateTime; without a zone it is UTC, as GridSite means it. */
  private static Outcome<Instant> time(String text) {
    try {
      return new Outcome.Done<>(
          DateTimeFormatter.ISO_DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from)
                  instanceof OffsetDateTime zoned
              ? zoned.toInstant()
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Outcome.refused(Kind.BAD_ANSWER, "the service tells a time in another form");
    }
  }
}
