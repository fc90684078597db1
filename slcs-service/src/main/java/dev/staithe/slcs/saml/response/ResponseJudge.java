package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.slcs.saml.response.SentRequests.Door;
import dev.staithe.slcs.saml.response.SentRequests.Sent;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opensaml.saml.saml2.core.Assertion;
import org.opensaml.saml.saml2.core.AuthnStatement;
import org.opensaml.saml.saml2.core.Response;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.saml2.core.Saml2Error;
import org.springframework.security.saml2.core.Saml2ErrorCodes;
import org.springframework.security.saml2.core.Saml2ResponseValidatorResult;
import org.springframework.security.saml2.provider.service.authentication.OpenSaml5AuthenticationProvider;
import org.springframework.security.saml2.provider.service.authentication.OpenSaml5AuthenticationProvider.AssertionToken;
import org.springframework.security.saml2.provider.service.authentication.OpenSaml5AuthenticationProvider.AssertionValidator;
import org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticationException;
import org.springframework.security.saml2.provider.service.authentication.Saml2AuthenticationToken;
import org.springframework.security.saml2.provider.service.authentication.Saml2RedirectAuthenticationRequest;
import org.w3c.dom.Element;

/**
 * Judges a response: its text, its shape, the request that it answers, then signature, decryption
 * and conditions by Spring Security with our own rules, then attributes and scopes; at last the
 * request and the IDs are used up. Thread-safe.
 */
public final class ResponseJudge {
  private final Providers providers;
  private final ServiceProvider self;
  private final SentRequests sent;
  private final ConsumedIds consumed;
  private final AssertionRules rules;
  private final Duration requestLifetime;
  private final Clock clock;
  private final OpenSaml5AuthenticationProvider spring = new OpenSaml5AuthenticationProvider();

  ResponseJudge(
      Providers providers,
      ServiceProvider self,
      SentRequests sent,
      ConsumedIds consumed,
      SamlSettings settings,
      Clock clock) {
    this.providers = providers;
    this.self = self;
    this.sent = sent;
    this.consumed = consumed;
    this.rules = new AssertionRules(self, settings, clock);
    this.requestLifetime = settings.requestLifetime();
    this.clock = clock;
    Converter<AssertionToken, Saml2ResponseValidatorResult> usual =
        AssertionValidator.builder().clockSkew(settings.clockSkew()).build();
    spring.setAssertionValidator(
        token -> {
          var registration = token.getToken().getRelyingPartyRegistration();
          var request = token.getToken().getAuthenticationRequest();
          return rules
              .fault(
                  token.getAssertion(),
                  registration.getAssertingPartyMetadata().getEntityId(),
                  request == null ? "" : request.getId())
              .map(
                  fault ->
                      Saml2ResponseValidatorResult.failure(
                          new Saml2Error(fault.reason().name(), fault.detail())))
              .orElseGet(() -> usual.convert(token));
        });
    spring.setResponseAuthenticationConverter(token -> new VerifiedResponse(token.getResponse()));
  }

  /** A response that was found good. */
  private static final class VerifiedResponse extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1;
    private final transient Response response;

    VerifiedResponse(Response response) {
      super(AuthorityUtils.NO_AUTHORITIES);
      this.response = response;
    }

    @Override
    public Object getCredentials() {
      return "";
    }

    @Override
    public Object getPrincipal() {
      return "";
    }
  }

  /**
   * Judges it.
   *
   * @param door by which it came
   * @param browser digest of the cookie that came with it
   */
  public Judgement judge(MessageText text, Door door, @Nullable String browser) {
    return switch (text) {
      case MessageText.Refused dirty -> new Judgement.Refused(dirty.refusal(), null);
      case MessageText.Parsed clean -> judge(clean.root(), door, browser);
    };
  }

  private Judgement judge(Element root, Door door, @Nullable String browser) {
    // Only for the log and the audit, as nothing is verified yet.
    String issuer =
        Elements.children(root, SamlNamespaces.ASSERTION, "Issuer").stream()
            .map(Element::getTextContent)
            .findFirst()
            .orElse(null);
    Optional<Refusal> shape = ResponseShape.fault(root);
    if (shape.isPresent()) {
      return new Judgement.Refused(shape.get(), issuer);
    }
    String destination = root.getAttribute("Destination");
    if (!destination.isEmpty() && !destination.equals(self.consumer())) {
      return refused(Reason.NOT_FOR_US, "the destination is " + destination, issuer);
    }
    String requestId = root.getAttribute("InResponseTo");
    Sent request = requestId.isEmpty() ? null : sent.find(requestId).orElse(null);
    if (request == null) {
      return refused(Reason.UNKNOWN_REQUEST, "it answers the request " + requestId, issuer);
    }
    if (request.door() != door) {
      return refused(Reason.UNKNOWN_REQUEST, "the request went out by another door", issuer);
    }
    if (!sameBrowser(request.browser(), browser)) {
      return refused(Reason.OTHER_BROWSER, "the request went out to another browser", issuer);
    }
    Provider provider = providers.withEntityId(request.provider()).orElse(null);
    if (provider == null || (issuer != null && !issuer.equals(provider.entityId()))) {
      return refused(
          Reason.UNKNOWN_PROVIDER,
          issuer + " answers, and " + request.provider() + " was asked",
          issuer);
    }
    List<Element> encrypted =
        Elements.children(root, SamlNamespaces.ASSERTION, "EncryptedAssertion");
    if (encrypted.isEmpty()) {
      return verified(root, provider, request);
    }
    boolean signed = !Elements.children(root, SamlNamespaces.DS, "Signature").isEmpty();
    Optional<Refusal> form =
        EncryptedAssertion.fault(encrypted.getFirst(), provider.encryption(), signed);
    if (form.isPresent()) {
      return new Judgement.Refused(form.get(), provider.entityId());
    }
    return signed
        ? verified(root, provider, request)
        : opened(
            EncryptedAssertion.opened(root, encrypted.getFirst(), self.key()), provider, request);
  }

  /** As any other, whose assertion must be signed: the library opens only what is signed around. */
  private Judgement opened(MessageText text, Provider provider, Sent request) {
    return switch (text) {
      case MessageText.Refused dirty -> new Judgement.Refused(dirty.refusal(), provider.entityId());
      case MessageText.Parsed clean -> {
        Optional<Refusal> shape = ResponseShape.fault(clean.root());
        yield shape.isPresent()
            ? new Judgement.Refused(shape.get(), provider.entityId())
            : verified(clean.root(), provider, request);
      }
    };
  }

  private static boolean sameBrowser(@Nullable String expected, @Nullable String shown) {
    return expected == null
        || (shown != null
            && MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.US_ASCII),
                shown.getBytes(StandardCharsets.US_ASCII)));
  }

  private Judgement verified(Element root, Provider provider, Sent request) {
    Response response;
    try {
      response =
          ((VerifiedResponse)
                  spring.authenticate(
                      new Saml2AuthenticationToken(
                          provider.registration(),
                          // What was looked at, not what came: both readers read the same.
                          XmlText.document(root),
                          Saml2RedirectAuthenticationRequest.withRelyingPartyRegistration(
                                  provider.registration())
                              .id(request.id())
                              .samlRequest("kept by its ID")
                              .build())))
              .response;
    } catch (Saml2AuthenticationException e) {
      return refused(
          reason(e.getSaml2Error().getErrorCode()),
          String.valueOf(e.getSaml2Error().getDescription()),
          provider.entityId());
    }
    List<Assertion> assertions = response.getAssertions();
    if (assertions.size() != 1) {
      return refused(Reason.ASSERTION, "there is not one assertion", provider.entityId());
    }
    Assertion assertion = assertions.getFirst();
    Element element = assertion.getDOM();
    boolean encrypted = !response.getEncryptedAssertions().isEmpty();
    if (element == null || (!response.isSigned() && (encrypted || !assertion.isSigned()))) {
      return refused(Reason.SIGNATURE, "it is not signed", provider.entityId());
    }
    if (encrypted) {
      Optional<Refusal> shape = ResponseShape.faultOfDecrypted(element);
      if (shape.isPresent()) {
        return new Judgement.Refused(shape.get(), provider.entityId());
      }
    }
    return switch (Attributes.of(assertion, provider)) {
      case Attributes.Refused wrong -> new Judgement.Refused(wrong.refusal(), provider.entityId());
      case Attributes.Read read -> useUp(response, assertion, read, provider, request);
    };
  }

  private Judgement useUp(
      Response response,
      Assertion assertion,
      Attributes.Read read,
      Provider provider,
      Sent request) {
    Instant until = rules.usableUntil(assertion);
    // Until nobody finds the request any more: it is good for one answer, too.
    Instant found = clock.instant().plus(requestLifetime);
    if (!consumed.take(
        provider.entityId(),
        Map.of(
            "request",
            request.id(),
            "response",
            id(response.getID()),
            "assertion",
            id(assertion.getID())),
        until.isAfter(found) ? until : found)) {
      return refused(Reason.REPLAY, "it was used already", provider.entityId());
    }
    AuthnStatement statement = assertion.getAuthnStatements().getFirst();
    Instant authenticated = statement.getAuthnInstant();
    return new Judgement.Accepted(
        new CampusIdentity(
            provider.entityId(),
            provider.name(),
            read.principalName(),
            read.values(),
            authenticated == null ? clock.instant() : authenticated,
            AssertionRules.context(statement)),
        AssertionRules.link(assertion),
        request,
        rules.sessionLeft(assertion));
  }

  private static String id(@Nullable String id) {
    return id == null ? "" : id;
  }

  private static Reason reason(String code) {
    for (Reason reason : Reason.values()) {
      if (reason.name().equals(code)) {
        return reason;
      }
    }
    return switch (code) {
      case Saml2ErrorCodes.INVALID_SIGNATURE, Saml2ErrorCodes.DECRYPTION_ERROR -> Reason.SIGNATURE;
      case Saml2ErrorCodes.INVALID_DESTINATION -> Reason.NOT_FOR_US;
      case Saml2ErrorCodes.INVALID_IN_RESPONSE_TO -> Reason.UNKNOWN_REQUEST;
      case Saml2ErrorCodes.INVALID_ISSUER -> Reason.UNKNOWN_PROVIDER;
      case Saml2ErrorCodes.MALFORMED_RESPONSE_DATA, Saml2ErrorCodes.UNKNOWN_RESPONSE_CLASS ->
          Reason.MALFORMED;
      default -> Reason.ASSERTION;
    };
  }

  private static Judgement.Refused refused(
      Reason reason, String detail, @Nullable String provider) {
    return new Judgement.Refused(new Refusal(reason, detail), provider);
  }
}
