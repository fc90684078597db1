package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyRules;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.xml.XmlText;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.Optional;
import org.w3c.dom.Element;

/**
 * A service of ARC's delegation interface, which is that of the paper: a delegator gives, and
 * another service acquires, by the id. Thread-safe.
 */
public final class ArcClient {
  private static final String NAMESPACE = "http://www.nordugrid.org/schemas/delegation";

  private final SoapCalls calls;
  private final Clock clock;

  /**
   * Opens nothing yet.
   *
   * @param http one that follows no redirects and shows a certificate; see {@link Connections}
   * @param service the address of the interface
   */
  public ArcClient(HttpClient http, URI service, Clock clock) {
    this.calls = new SoapCalls(http, service);
    this.clock = clock;
  }

  /**
   * Lets the service make a key and signs it.
   *
   * @param by whose certificate signs
   */
  public Outcome<HeldDelegation> delegate(Credential by, ProxyTerms terms) {
    return switch (calls.call(
        element("DelegateCredentialsInit", ""), "DelegateCredentialsInitResponse")) {
      case Outcome.Refused<Element> refused -> refused.to();
      case Outcome.Done<Element>(Element answer) -> {
        Optional<String> id = SoapCalls.text(answer, "Id");
        Optional<String> request = SoapCalls.text(answer, "Value");
        yield id.isEmpty() || request.isEmpty()
            ? Outcome.refused(Kind.BAD_ANSWER, "the service answers without an id or a request")
            : update(by, id.get(), request.get(), terms);
      }
    };
  }

  /**
   * Gets a proxy for a fresh key, which never leaves this process.
   *
   * @param wish of which this interface knows the key and the delegator only; the latter is checked
   *     here
   */
  public Outcome<Acquired> acquire(String id, AcquireWish wish) {
    RequestedKey key = RequestedKey.make(wish.key());
    String lookup =
        "<a:DelegatedTokenLookup>"
            + value("Id", id)
            + value("Value", key.pem())
            + "</a:DelegatedTokenLookup>";
    return switch (calls.call(
        element("AcquireCredentials", lookup), "AcquireCredentialsResponse")) {
      case Outcome.Refused<Element> refused -> refused.to();
      case Outcome.Done<Element>(Element answer) ->
          ProxyChainCheck.check(
              key, SoapCalls.text(answer, "Value").orElse(""), wish.delegator(), clock);
    };
  }

  private Outcome<HeldDelegation> update(
      Credential by, String id, String request, ProxyTerms terms) {
    return switch (Signing.sign(by, request, terms, KeyRules.standard(), clock)) {
      case Outcome.Refused<Signing.Signed> refused -> refused.to();
      case Outcome.Done<Signing.Signed>(Signing.Signed signed) -> {
        String token =
            "<a:DelegatedToken Format=\"x509\">"
                + value("Id", id)
                + value("Value", signed.pem())
                + "</a:DelegatedToken>";
        yield switch (calls.call(
            element("UpdateCredentials", token), "UpdateCredentialsResponse")) {
          // A computing element takes a proxy by this interface for a job that it has, and only so.
          case Outcome.Refused<Element>(DelegationRefusal said)
              when said.line().contains("Must have Activity") ->
              Outcome.refused(
                  Kind.BAD_REQUEST,
                  "this service takes proxies by SOAP for jobs that it has only: --protocol"
                      + " arc-rest");
          case Outcome.Refused<Element> refused -> refused.to();
          case Outcome.Done<Element> _ ->
              new Outcome.Done<>(new HeldDelegation(id, signed.notAfter()));
        };
      }
    };
  }

  private static String element(String name, String children) {
    return "<a:" + name + " xmlns:a=\"" + NAMESPACE + "\">" + children + "</a:" + name + ">";
  }

  private static String value(String name, String text) {
    return "<a:" + name + ">" + XmlText.escape(text) + "</a:" + name + ">";
  }
}
