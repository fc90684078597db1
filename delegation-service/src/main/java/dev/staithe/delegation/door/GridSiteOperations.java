package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Outcome;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.ProxyRequest;
import dev.staithe.xml.XmlText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.w3c.dom.Element;

/**
 * The operations of GridSite delegation, each answered in the namespace in which it was asked for.
 * Thread-safe.
 */
final class GridSiteOperations {
  private final Delegations delegations;
  private final String version;

  /**
   * @param version of this service
   */
  GridSiteOperations(Delegations delegations, String version) {
    this.delegations = delegations;
    this.version = version;
  }

  /**
   * Does what the element asks for.
   *
   * @param operation of that dialect's namespace
   */
  SoapAnswer answer(GridSiteDialect dialect, Owner owner, Element operation) {
    String name = operation.getLocalName();
    return switch (name) {
      case "getProxyReq" ->
          withId(
              dialect,
              owner,
              operation,
              id ->
                  requested(
                      dialect,
                      name,
                      dialect.requestPart(),
                      delegations.begin(owner, id, null, null)));
      case "renewProxyReq" ->
          withId(
              dialect,
              owner,
              operation,
              id -> requested(dialect, name, "renewProxyReqReturn", delegations.renew(owner, id)));
      case "getNewProxyReq" -> newRequest(dialect, owner);
      case "putProxy" ->
          withId(dialect, owner, operation, id -> put(dialect, owner, id, operation));
      case "getTerminationTime" ->
          withId(
              dialect,
              owner,
              operation,
              id ->
                  switch (delegations.look(owner, id)) {
                    case Outcome.Done<Delegation>(Delegation found) ->
                        done(
                            dialect,
                            name,
                            part("getTerminationTimeReturn", dateTime(found.notAfter())));
                    case Outcome.Refused<Delegation>(DelegationFault why) -> fault(dialect, why);
                  });
      case "destroy" ->
          withId(
              dialect,
              owner,
              operation,
              id ->
                  switch (delegations.destroy(owner, id)) {
                    case Outcome.Done<DelegationId> destroyed -> done(dialect, name, "");
                    case Outcome.Refused<DelegationId>(DelegationFault why) -> fault(dialect, why);
                  });
      case "getVersion" -> done(dialect, name, part("getVersionReturn", version));
      case "getInterfaceVersion" ->
          done(dialect, name, part("getInterfaceVersionReturn", dialect.version()));
      case "getServiceMetadata" -> refused(dialect, "this service has no metadata");
      default -> refused(dialect, "GridSite's delegation has no such operation");
    };
  }

  /** Who names no id, or an empty one as ARC's client does, means the standard one. */
  private SoapAnswer withId(
      GridSiteDialect dialect,
      Owner owner,
      Element operation,
      Function<DelegationId, SoapAnswer> then) {
    String written = Child.text(operation, "delegationID");
    if (written == null) {
      return refused(dialect, operation.getLocalName() + " has one delegationID with a text");
    }
    if (written.isBlank()) {
      return then.apply(delegations.standardId(owner));
    }
    Optional<DelegationId> id = DelegationId.parse(written.strip());
    return id.isEmpty()
        ? refused(dialect, "a delegationID is 1 to 128 of the letters, digits and - _ .")
        : then.apply(id.get());
  }

  private SoapAnswer requested(
      GridSiteDialect dialect, String name, String part, Outcome<ProxyRequest> begun) {
    return switch (begun) {
      case Outcome.Done<ProxyRequest>(ProxyRequest request) ->
          done(dialect, name, part(part, request.pem()));
      case Outcome.Refused<ProxyRequest>(DelegationFault why) -> fault(dialect, why);
    };
  }

  private SoapAnswer newRequest(GridSiteDialect dialect, Owner owner) {
    // A fresh id: of two clients of one person neither may take the other's place.
    return switch (delegations.begin(owner, DelegationId.random(), null, null)) {
      case Outcome.Done<ProxyRequest>(ProxyRequest(DelegationId id, String pem)) -> {
        String both = part("proxyRequest", pem) + part("delegationID", id.text());
        String wrapped = "<getNewProxyReqReturn>" + both + "</getNewProxyReqReturn>";
        // 2.1 has the two in the answer itself, 2.0 in a wrapper, and both have one namespace:
        // clients of either find theirs and pass over the other.
        yield done(
            dialect, "getNewProxyReq", dialect == GridSiteDialect.V2 ? both + wrapped : wrapped);
      }
      case Outcome.Refused<ProxyRequest>(DelegationFault why) -> fault(dialect, why);
    };
  }

  private SoapAnswer put(GridSiteDialect dialect, Owner owner, DelegationId id, Element operation) {
    String proxy = Child.text(operation, "proxy");
    if (proxy == null || proxy.isBlank()) {
      return refused(dialect, "putProxy has one proxy with certificates in PEM");
    }
    return switch (delegations.put(owner, id, proxy)) {
      case Outcome.Done<Delegation> stored -> done(dialect, "putProxy", "");
      case Outcome.Refused<Delegation>(DelegationFault why) -> fault(dialect, why);
    };
  }

  private static SoapAnswer done(GridSiteDialect dialect, String operation, String parts) {
    String name = "d:" + operation + "Response";
    return new SoapAnswer.Done(
        "<" + name + " xmlns:d=\"" + dialect.namespace() + "\">" + parts + "</" + name + ">");
  }

  private static String part(String name, String text) {
    return "<" + name + ">" + XmlText.escape(text) + "</" + name + ">";
  }

  private static SoapAnswer refused(GridSiteDialect dialect, String line) {
    return fault(dialect, new DelegationFault(Kind.BAD_REQUEST, line), true);
  }

  private static SoapAnswer fault(GridSiteDialect dialect, DelegationFault why) {
    return fault(dialect, why, false);
  }

  /** The fault that the description names, in that dialect. */
  static SoapAnswer.Fault fault(GridSiteDialect dialect, DelegationFault why, boolean unheard) {
    return new SoapAnswer.Fault(
        why,
        "<d:DelegationException xmlns:d=\""
            + dialect.namespace()
            + "\">"
            + part(dialect.faultPart(), why.line())
            + "</d:DelegationException>",
        unheard);
  }

  /** Of {@code xsd:dateTime}, UTC, whole seconds as a certificate has. */
  private static String dateTime(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
