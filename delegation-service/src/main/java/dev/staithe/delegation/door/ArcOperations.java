package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.AcquiredProxy;
import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Outcome;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.credential.ProxyRequest;
import dev.staithe.delegation.credential.ProxyWish;
import dev.staithe.delegation.credential.WantedDelegation;
import dev.staithe.pki.GridSubject;
import dev.staithe.xml.Elements;
import dev.staithe.xml.Soap;
import dev.staithe.xml.XmlText;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/**
 * The operations of ARC's delegation: a person gives a proxy in two steps, and in a third one a
 * service gets its own by the id. Thread-safe.
 */
final class ArcOperations {
  static final String NAMESPACE = "http://www.nordugrid.org/schemas/delegation";

  /** What it does, and what its description has as {@code SOAPAction}. */
  static final Set<String> NAMES =
      Set.of("DelegateCredentialsInit", "UpdateCredentials", "AcquireCredentials");

  private static final String FORMAT = "x509";

  /** As the description names them. */
  private enum FaultName {
    /** Something that this service does not do. */
    UNSUPPORTED("UnsupportedFault"),
    /** What was sent is not taken. */
    PROCESSING("ProcessingFault"),
    /** The id stands for nothing that the caller may use. */
    WRONG_REFERENCE("WrongReferenceFault");

    private final String element;

    FaultName(String element) {
      this.element = element;
    }
  }

  private final Delegations delegations;

  ArcOperations(Delegations delegations) {
    this.delegations = delegations;
  }

  /**
   * Does what the element asks for.
   *
   * @param operation of {@link #NAMESPACE}
   */
  SoapAnswer answer(Owner caller, Element operation) {
    String name = operation.getLocalName();
    return switch (name) {
      case "DelegateCredentialsInit" -> init(caller);
      case "UpdateCredentials" ->
          Soap.child(operation, "DelegatedToken")
              .map(token -> update(caller, token))
              .orElseGet(() -> refused(FaultName.PROCESSING, name + " holds one DelegatedToken"));
      case "AcquireCredentials" ->
          Soap.child(operation, "DelegatedTokenLookup")
              .map(lookup -> acquire(caller, lookup))
              .orElseGet(
                  () -> refused(FaultName.PROCESSING, name + " holds one DelegatedTokenLookup"));
      default -> refused(FaultName.UNSUPPORTED, "ARC's delegation has no such operation");
    };
  }

  private SoapAnswer init(Owner owner) {
    return switch (delegations.begin(owner, DelegationId.random(), null, null)) {
      case Outcome.Done<ProxyRequest>(ProxyRequest(DelegationId id, String pem)) ->
          done("DelegateCredentialsInitResponse", token("TokenRequest", id, pem));
      case Outcome.Refused<ProxyRequest>(DelegationFault why) -> fault(why);
    };
  }

  private SoapAnswer update(Owner owner, Element token) {
    if (!FORMAT.equals(format(token))) {
      return refused(FaultName.UNSUPPORTED, "the Format of a DelegatedToken is " + FORMAT);
    }
    if (Elements.children(token).stream()
        .anyMatch(
            child ->
                "Reference".equals(child.getLocalName()) && !Elements.children(child).isEmpty())) {
      return refused(
          FaultName.UNSUPPORTED, "a token that is good for a part of a message only is not taken");
    }
    Optional<DelegationId> id = id(token);
    if (id.isEmpty()) {
      return refused(FaultName.WRONG_REFERENCE, "Id is that of a TokenRequest");
    }
    String chain = Child.text(token, "Value");
    if (chain == null || chain.isBlank()) {
      return refused(FaultName.PROCESSING, "Value holds certificates in PEM, the proxy first");
    }
    return switch (delegations.put(owner, id.get(), chain)) {
      case Outcome.Done<Delegation> stored -> done("UpdateCredentialsResponse", "");
      case Outcome.Refused<Delegation>(DelegationFault why) -> fault(why);
    };
  }

  private SoapAnswer acquire(Owner acquirer, Element lookup) {
    String format = format(lookup);
    if (format != null && !format.equals(FORMAT)) {
      return refused(FaultName.UNSUPPORTED, "the Format of a DelegatedToken is " + FORMAT);
    }
    String identity = Child.text(lookup, "CredIdentity");
    String written = Child.text(lookup, "Id");
    Optional<DelegationId> id = id(lookup);
    if (identity == null || written == null || (!written.isBlank() && id.isEmpty())) {
      return refused(FaultName.WRONG_REFERENCE, "Id is that of a delegation");
    }
    GridSubject delegator = null;
    if (!identity.isBlank()) {
      try {
        delegator = GridSubject.parse(identity.strip());
      } catch (IllegalArgumentException e) {
        return refused(FaultName.WRONG_REFERENCE, "CredIdentity is the subject of a person");
      }
    }
    if (id.isEmpty() && delegator == null) {
      return refused(FaultName.WRONG_REFERENCE, "an Id or a CredIdentity is expected");
    }
    String request = Child.text(lookup, "Value");
    if (request == null || request.isBlank()) {
      // ARC's own service gave its key to whoever asked without a request.
      return refused(
          FaultName.PROCESSING, "Value holds a PKCS#10 in PEM: private keys are given to nobody");
    }
    WantedDelegation which = new WantedDelegation(id.orElse(null), delegator);
    return switch (delegations.acquire(acquirer, which, request, ProxyWish.NOTHING)) {
      case Outcome.Done<AcquiredProxy>(AcquiredProxy proxy) ->
          done("AcquireCredentialsResponse", token("DelegatedToken", proxy.id(), proxy.chainPem()));
      case Outcome.Refused<AcquiredProxy>(DelegationFault why) -> fault(why);
    };
  }

  private static Optional<DelegationId> id(Element parent) {
    String written = Child.text(parent, "Id");
    return written == null ? Optional.empty() : DelegationId.parse(written.strip());
  }

  /**
   * The description has the attribute without a prefix, ARC's client sends it with one.
   *
   * @return null where there is none; one that is none of ours where two differ
   */
  private static @Nullable String format(Element token) {
    String found = null;
    NamedNodeMap attributes = token.getAttributes();
    for (int at = 0; at < attributes.getLength(); at++) {
      if (attributes.item(at) instanceof Attr attribute
          && "Format".equals(attribute.getLocalName())) {
        String value = attribute.getValue().strip();
        found = found == null || found.equals(value) ? value : "";
      }
    }
    return found;
  }

  private static SoapAnswer done(String name, String content) {
    return new SoapAnswer.Done(
        "<d:" + name + " xmlns:d=\"" + NAMESPACE + "\">" + content + "</d:" + name + ">");
  }

  private static String token(String name, DelegationId id, String value) {
    return "<d:"
        + name
        + " Format=\""
        + FORMAT
        + "\"><d:Id>"
        + XmlText.escape(id.text())
        + "</d:Id><d:Value>"
        + XmlText.escape(value)
        + "</d:Value></d:"
        + name
        + ">";
  }

  private static SoapAnswer refused(FaultName name, String line) {
    return fault(name, new DelegationFault(Kind.BAD_REQUEST, line), true);
  }

  private static SoapAnswer fault(DelegationFault why) {
    return fault(why, false);
  }

  /** The one of the faults of the description that says most. */
  static SoapAnswer.Fault fault(DelegationFault why, boolean unheard) {
    FaultName name =
        switch (why.kind()) {
          case UNKNOWN, NO_REQUEST -> FaultName.WRONG_REFERENCE;
          case NOT_ALLOWED,
              BAD_PROXY,
              CONFLICT,
              TOO_MANY,
              TOO_LARGE,
              EXPIRED,
              BAD_REQUEST,
              UNAVAILABLE ->
              FaultName.PROCESSING;
        };
    return fault(name, why, unheard);
  }

  private static SoapAnswer.Fault fault(FaultName name, DelegationFault why, boolean unheard) {
    return new SoapAnswer.Fault(
        why,
        "<d:"
            + name.element
            + " xmlns:d=\""
            + NAMESPACE
            + "\"><d:Description>"
            + XmlText.escape(why.line())
            + "</d:Description></d:"
            + name.element
            + ">",
        unheard);
  }
}
