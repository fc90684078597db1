package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.metadata.SignatureForm;
import dev.staithe.slcs.saml.response.ConsumedIds;
import dev.staithe.slcs.saml.response.MessageText;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.slcs.session.SessionRows;
import dev.staithe.xml.Elements;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.saml.saml2.core.SessionIndex;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.saml2.Saml2Exception;
import org.springframework.security.saml2.core.Saml2Error;
import org.springframework.security.saml2.provider.service.authentication.logout.OpenSaml5LogoutRequestValidator;
import org.springframework.security.saml2.provider.service.authentication.logout.Saml2LogoutRequest;
import org.springframework.security.saml2.provider.service.authentication.logout.Saml2LogoutRequestValidatorParameters;
import org.springframework.security.saml2.provider.service.authentication.logout.Saml2LogoutResponse;
import org.springframework.security.saml2.provider.service.authentication.logout.Saml2LogoutValidatorResult;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistration;
import org.springframework.security.saml2.provider.service.registration.Saml2MessageBinding;
import org.springframework.security.saml2.provider.service.web.RelyingPartyRegistrationResolver;
import org.springframework.security.saml2.provider.service.web.authentication.logout.OpenSaml5LogoutRequestResolver;
import org.springframework.security.saml2.provider.service.web.authentication.logout.OpenSaml5LogoutResponseResolver;
import org.w3c.dom.Element;

/**
 * Single logout (SAML profiles section 4.4): asks providers to end sessions, and ends those that
 * providers ask to. Thread-safe.
 */
final class Logout {
  private static final String REGISTRATION = Logout.class.getName() + ".registration";
  private static final String LINK = Logout.class.getName() + ".link";
  private static final Duration OLDEST = Duration.ofMinutes(5);

  /** Of message, among those whose IDs are used up. */
  private static final String KIND = "logout";

  /** The parameters of a request by redirect (SAML bindings section 3.4.4.1). */
  private static final List<String> PARAMETERS =
      List.of("SAMLRequest", "RelayState", "SigAlg", "Signature");

  private final Providers providers;
  private final ServiceProvider self;
  private final ConsumedIds consumed;
  private final Duration skew;
  private final Clock clock;
  private final OpenSaml5LogoutRequestResolver requests;
  private final OpenSaml5LogoutResponseResolver responses;
  private final OpenSaml5LogoutRequestValidator validator = new OpenSaml5LogoutRequestValidator();

  Logout(
      Providers providers, ServiceProvider self, ConsumedIds consumed, Duration skew, Clock clock) {
    this.providers = providers;
    this.self = self;
    this.consumed = consumed;
    this.skew = skew;
    this.clock = clock;
    RelyingPartyRegistrationResolver given =
        (request, name) -> (RelyingPartyRegistration) request.getAttribute(REGISTRATION);
    this.requests = new OpenSaml5LogoutRequestResolver(given);
    this.responses = new OpenSaml5LogoutResponseResolver(given);
    requests.setClock(clock);
    responses.setClock(clock);
    requests.setParametersConsumer(
        parameters -> {
          if (parameters.getRequest().getAttribute(LINK) instanceof SessionRows.Link link) {
            var name = Objects.requireNonNull(parameters.getLogoutRequest().getNameID());
            name.setValue(link.nameId());
            if (!link.format().isEmpty()) {
              name.setFormat(link.format());
            }
            parameters.getLogoutRequest().getSessionIndexes().clear();
            if (!link.sessionIndex().isEmpty()) {
              parameters.getLogoutRequest().getSessionIndexes().add(index(link.sessionIndex()));
            }
          }
        });
  }

  private static SessionIndex index(String value) {
    var builder =
        XMLObjectProviderRegistrySupport.getBuilderFactory()
            .<SessionIndex>ensureBuilder(SessionIndex.DEFAULT_ELEMENT_NAME);
    SessionIndex index = builder.buildObject(SessionIndex.DEFAULT_ELEMENT_NAME);
    index.setValue(value);
    return index;
  }

  /** The request that ends a session at its provider; empty where that takes none. */
  Optional<BrowserMessage> request(SessionRows.Row row, HttpServletRequest request) {
    Provider provider = providers.withEntityId(row.session().identity().provider()).orElse(null);
    if (provider == null
        || row.link().nameId().isEmpty()
        || provider.registration().getAssertingPartyMetadata().getSingleLogoutServiceLocation()
            == null) {
      return Optional.empty();
    }
    request.setAttribute(REGISTRATION, provider.registration());
    request.setAttribute(LINK, row.link());
    Saml2LogoutRequest made = requests.resolve(request, named(row.link().nameId()));
    return made == null
        ? Optional.empty()
        : Optional.of(
            made.getBinding() == Saml2MessageBinding.POST
                ? form(made.getLocation(), made.getParameters())
                : BrowserMessage.Redirect.to(
                    made.getLocation(),
                    self.signedQuery("SAMLRequest", made.getSamlRequest(), made.getRelayState())));
  }

  private static BrowserMessage form(String location, Map<String, String> parameters) {
    return new BrowserMessage.Form(
        location, parameters, "Log out", "You are logged out here. Go on to log out everywhere.");
  }

  private static Authentication named(String name) {
    return UsernamePasswordAuthenticationToken.authenticated(name, "", List.of());
  }

  /** What came of a provider's request. */
  sealed interface Asked {
    /**
     * Sessions of those links must end, and {@link Logout#used} be told then.
     *
     * @param links one or more
     * @param id of the request
     * @param answer goes back; null where the provider has no place for one in its metadata
     */
    record End(
        Provider provider, List<SessionRows.Link> links, String id, @Nullable BrowserMessage answer)
        implements Asked {
      /** Copies the list. */
      public End {
        links = List.copyOf(links);
      }
    }

    /** It is refused. */
    record Refused(Refusal refusal, @Nullable String provider) implements Asked {}
  }

  /** Judges a request of a provider, and makes the answer. */
  Asked judge(HttpServletRequest request, boolean post) {
    String encoded = Objects.requireNonNullElse(request.getParameter("SAMLRequest"), "");
    MessageText text = post ? MessageText.ofBase64(encoded) : inflated(encoded);
    if (!(text instanceof MessageText.Parsed clean)) {
      return new Asked.Refused(((MessageText.Refused) text).refusal(), null);
    }
    Element root = clean.root();
    String issuer = text(root, "Issuer");
    Provider provider = issuer == null ? null : providers.withEntityId(issuer).orElse(null);
    if (!Elements.is(root, SamlNamespaces.PROTOCOL, "LogoutRequest") || provider == null) {
      return refused(Reason.UNKNOWN_PROVIDER, "no LogoutRequest of a provider", issuer);
    }
    String fault = signatureFault(root, request, post);
    if (fault != null) {
      return refused(Reason.SIGNATURE, fault, issuer);
    }
    String query = post ? "" : sent(request);
    if (query == null) {
      return refused(
          Reason.SIGNATURE, "a parameter is there twice, or its name is written otherwise", issuer);
    }
    Saml2LogoutValidatorResult result;
    try {
      result =
          validator.validate(
              new Saml2LogoutRequestValidatorParameters(
                  received(request, provider, encoded, post, query),
                  provider.registration(),
                  null));
    } catch (Saml2Exception | IllegalArgumentException e) {
      return refused(Reason.MALFORMED, "it cannot be read: " + e.getMessage(), issuer);
    }
    if (result.hasErrors()) {
      return refused(
          Reason.SIGNATURE,
          result.getErrors().stream().map(Saml2Error::getDescription).toList().toString(),
          issuer);
    }
    return verified(root, provider, request);
  }

  /**
   * The parameters as they were sent, which the signature is of; null where one of them is there
   * more than once, or under a name with escapes: the library would verify another than the one
   * that is read here.
   */
  private static @Nullable String sent(HttpServletRequest request) {
    List<String> all = List.of(String.valueOf(request.getQueryString()).split("&"));
    var sent = new StringJoiner("&");
    for (String name : PARAMETERS) {
      List<String> found = all.stream().filter(each -> each.startsWith(name + "=")).toList();
      String[] read = request.getParameterValues(name);
      if (found.size() > 1 || found.size() != (read == null ? 0 : read.length)) {
        return null;
      }
      found.forEach(sent::add);
    }
    return sent.toString();
  }

  private static Saml2LogoutRequest received(
      HttpServletRequest request, Provider provider, String encoded, boolean post, String query) {
    return Saml2LogoutRequest.withRelyingPartyRegistration(provider.registration())
        .samlRequest(encoded)
        .relayState(request.getParameter("RelayState"))
        .binding(post ? Saml2MessageBinding.POST : Saml2MessageBinding.REDIRECT)
        .location(provider.registration().getSingleLogoutServiceLocation())
        .parameters(
            all -> {
              for (String name : new String[] {"SigAlg", "Signature"}) {
                if (request.getParameter(name) != null) {
                  all.put(name, request.getParameter(name));
                }
              }
            })
        .parametersQuery(all -> query)
        .build();
  }

  private static @Nullable String signatureFault(
      Element root, HttpServletRequest request, boolean post) {
    String algorithm = request.getParameter("SigAlg");
    if (!post && (algorithm == null || !SignatureForm.ALGORITHMS.contains(algorithm))) {
      return "the signature is by " + algorithm;
    }
    List<Element> signatures = Elements.children(root, SamlNamespaces.DS, "Signature");
    if (!post && signatures.isEmpty()) {
      return null;
    }
    // Where there is one inside the library looks at no other, however the request came.
    return signatures.size() == 1
        ? SignatureForm.fault(signatures.getFirst(), root.getAttribute("ID"))
        : "it is not signed";
  }

  private Asked verified(Element root, Provider provider, HttpServletRequest request) {
    String destination = root.getAttribute("Destination");
    if (!destination.isEmpty() && !destination.equals(self.logout())) {
      return refused(Reason.NOT_FOR_US, "the destination is " + destination, provider.entityId());
    }
    Instant now = clock.instant();
    try {
      Instant issued = Instant.parse(root.getAttribute("IssueInstant"));
      String until = root.getAttribute("NotOnOrAfter");
      if (issued.isAfter(now.plus(skew))
          || issued.isBefore(now.minus(OLDEST).minus(skew))
          || (!until.isEmpty() && !now.isBefore(Instant.parse(until).plus(skew)))) {
        return refused(Reason.TIME, "it was issued at " + issued, provider.entityId());
      }
    } catch (DateTimeException e) {
      return refused(Reason.MALFORMED, "it was issued at no time", provider.entityId());
    }
    String name = text(root, "NameID");
    if (name == null) {
      return refused(Reason.ASSERTION, "it names nobody in the clear", provider.entityId());
    }
    String id = root.getAttribute("ID");
    if (consumed.isTaken(provider.entityId(), KIND, id)) {
      return refused(Reason.REPLAY, "it was used already", provider.entityId());
    }
    return new Asked.End(provider, links(root, name), id, answer(name, provider, request));
  }

  /** By each index that is named; where none is, all sessions (SAML core section 3.7.1). */
  private static List<SessionRows.Link> links(Element root, String name) {
    List<SessionRows.Link> named =
        Elements.children(root, SamlNamespaces.PROTOCOL, "SessionIndex").stream()
            .map(index -> new SessionRows.Link(name, "", index.getTextContent().strip()))
            .distinct()
            .toList();
    return named.isEmpty() ? List.of(new SessionRows.Link(name, "", "")) : named;
  }

  /**
   * The sessions have ended; the request is good no more. Only now: one that could not be followed
   * may be sent again, and of two at once each ends the same.
   */
  void used(Asked.End end) {
    consumed.take(
        end.provider().entityId(),
        Map.of(KIND, end.id()),
        clock.instant().plus(OLDEST).plus(skew).plus(skew));
  }

  private @Nullable BrowserMessage answer(
      String name, Provider provider, HttpServletRequest request) {
    request.setAttribute(REGISTRATION, provider.registration());
    Saml2LogoutResponse made = responses.resolve(request, named(name));
    if (made == null) {
      return null;
    }
    return made.getBinding() == Saml2MessageBinding.POST
        ? form(made.getResponseLocation(), made.getParameters())
        : BrowserMessage.Redirect.to(
            made.getResponseLocation(),
            self.signedQuery(
                "SAMLResponse", made.getSamlResponse(), request.getParameter("RelayState")));
  }

  private static @Nullable String text(Element root, String name) {
    List<Element> found = Elements.children(root, SamlNamespaces.ASSERTION, name);
    return found.size() == 1 ? found.getFirst().getTextContent().strip() : null;
  }

  /** Of the redirect binding (SAML bindings section 3.4.4.1); a bomb stops at the limit. */
  private static MessageText inflated(String encoded) {
    var inflater = new Inflater(true);
    try (var in =
        new InflaterInputStream(
            new ByteArrayInputStream(
                Base64.getDecoder()
                    .decode(encoded.replaceAll("[ \r\n]", "").getBytes(StandardCharsets.UTF_8))),
            inflater)) {
      return MessageText.of(in.readNBytes(MessageText.LONGEST + 1));
    } catch (IOException | IllegalArgumentException e) {
      return new MessageText.Refused(new Refusal(Reason.MALFORMED, "it is not deflated"));
    } finally {
      // The stream leaves this to whoever made it; its memory is not that of Java.
      inflater.end();
    }
  }

  private static Asked.Refused refused(Reason reason, String detail, @Nullable String provider) {
    return new Asked.Refused(new Refusal(reason, detail), provider);
  }
}
