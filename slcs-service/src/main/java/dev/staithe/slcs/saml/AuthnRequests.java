package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.SentRequests;
import dev.staithe.slcs.saml.response.SentRequests.Door;
import dev.staithe.slcs.saml.response.SentRequests.Sent;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.saml.common.xml.SAMLConstants;
import org.opensaml.saml.saml2.core.AuthnContextClassRef;
import org.opensaml.saml.saml2.core.AuthnContextComparisonTypeEnumeration;
import org.opensaml.saml.saml2.core.AuthnRequest;
import org.opensaml.saml.saml2.core.RequestedAuthnContext;
import org.springframework.security.saml2.provider.service.authentication.AbstractSaml2AuthenticationRequest;
import org.springframework.security.saml2.provider.service.authentication.Saml2PostAuthenticationRequest;
import org.springframework.security.saml2.provider.service.authentication.Saml2RedirectAuthenticationRequest;
import org.springframework.security.saml2.provider.service.registration.RelyingPartyRegistration;
import org.springframework.security.saml2.provider.service.registration.Saml2MessageBinding;
import org.springframework.security.saml2.provider.service.web.RelyingPartyRegistrationResolver;
import org.springframework.security.saml2.provider.service.web.authentication.OpenSaml5AuthenticationRequestResolver;

/** Makes requests for authentication, signed, and remembers them. Thread-safe. */
final class AuthnRequests {
  private static final String REGISTRATION = AuthnRequests.class.getName() + ".registration";

  private final SentRequests sent;
  private final ServiceProvider self;
  private final OpenSaml5AuthenticationRequestResolver web;
  private final OpenSaml5AuthenticationRequestResolver ecp;

  AuthnRequests(SentRequests sent, SamlSettings settings, ServiceProvider self, Clock clock) {
    this.sent = sent;
    this.self = self;
    this.web = resolver(clock);
    this.ecp = resolver(clock);
    this.web.setAuthnRequestCustomizer(context -> ask(context.getAuthnRequest(), settings));
    this.ecp.setAuthnRequestCustomizer(
        context -> {
          ask(context.getAuthnRequest(), settings);
          context.getAuthnRequest().setProtocolBinding(SAMLConstants.SAML2_PAOS_BINDING_URI);
        });
  }

  /** How fresh and how strong a login is wanted (SAML core section 3.4.1, 3.3.2.2.1). */
  private static void ask(AuthnRequest request, SamlSettings settings) {
    if (settings.freshness() != null) {
      request.setForceAuthn(true);
    }
    if (settings.contexts().isEmpty()) {
      return;
    }
    var builders = XMLObjectProviderRegistrySupport.getBuilderFactory();
    RequestedAuthnContext wanted =
        builders
            .<RequestedAuthnContext>ensureBuilder(RequestedAuthnContext.DEFAULT_ELEMENT_NAME)
            .buildObject(RequestedAuthnContext.DEFAULT_ELEMENT_NAME);
    wanted.setComparison(AuthnContextComparisonTypeEnumeration.EXACT);
    for (String context : settings.contexts()) {
      AuthnContextClassRef reference =
          builders
              .<AuthnContextClassRef>ensureBuilder(AuthnContextClassRef.DEFAULT_ELEMENT_NAME)
              .buildObject(AuthnContextClassRef.DEFAULT_ELEMENT_NAME);
      reference.setURI(context);
      wanted.getAuthnContextClassRefs().add(reference);
    }
    request.setRequestedAuthnContext(wanted);
  }

  private static OpenSaml5AuthenticationRequestResolver resolver(Clock clock) {
    RelyingPartyRegistrationResolver given =
        (request, name) -> (RelyingPartyRegistration) request.getAttribute(REGISTRATION);
    var resolver = new OpenSaml5AuthenticationRequestResolver(given);
    resolver.setRequestMatcher(request -> true);
    resolver.setClock(clock);
    // The answer is found by InResponseTo, which is signed; this is for looks.
    resolver.setRelayStateResolver(request -> "staithe");
    return resolver;
  }

  /**
   * The request as a browser carries it: by redirect, or by a form to a provider that takes
   * requests by POST only, with the signature inside.
   */
  BrowserMessage byBrowser(
      Provider provider, HttpServletRequest request, @Nullable String browser, String returnTo) {
    RelyingPartyRegistration registration = provider.registration();
    if (registration.getAssertingPartyMetadata().getSingleSignOnServiceBinding()
        == Saml2MessageBinding.REDIRECT) {
      registration = unsigned(registration);
    }
    AbstractSaml2AuthenticationRequest made =
        make(web, registration, request, AbstractSaml2AuthenticationRequest.class);
    keep(made.getId(), provider, Door.WEB, browser, returnTo);
    String place = made.getAuthenticationRequestUri();
    if (made instanceof Saml2RedirectAuthenticationRequest) {
      return BrowserMessage.Redirect.to(
          place, self.signedQuery("SAMLRequest", made.getSamlRequest(), made.getRelayState()));
    }
    var fields = new LinkedHashMap<String, String>();
    fields.put("SAMLRequest", made.getSamlRequest());
    fields.put("RelayState", String.valueOf(made.getRelayState()));
    return new BrowserMessage.Form(place, fields, "Log in", "Go on to log in at your institution.");
  }

  /** For a query that is signed here: Spring Security would sign it too. */
  private static RelyingPartyRegistration unsigned(RelyingPartyRegistration registration) {
    return registration
        .mutate()
        .authnRequestsSigned(false)
        .assertingPartyMetadata(party -> party.wantAuthnRequestsSigned(false))
        .build();
  }

  /** The request of an enhanced client, with its signature inside (SAML profiles section 4.2). */
  String enhanced(Provider provider, String place, HttpServletRequest request, String returnTo) {
    RelyingPartyRegistration registration =
        provider
            .registration()
            .mutate()
            .assertingPartyMetadata(
                party ->
                    party
                        .singleSignOnServiceLocation(place)
                        .singleSignOnServiceBinding(Saml2MessageBinding.POST))
            .build();
    Saml2PostAuthenticationRequest made =
        make(ecp, registration, request, Saml2PostAuthenticationRequest.class);
    keep(made.getId(), provider, Door.ECP, null, returnTo);
    String text =
        new String(Base64.getMimeDecoder().decode(made.getSamlRequest()), StandardCharsets.UTF_8);
    // It goes into a SOAP body.
    return text.startsWith("<?xml") ? text.substring(text.indexOf("?>") + 2).strip() : text;
  }

  private void keep(
      String id, Provider provider, Door door, @Nullable String browser, String returnTo) {
    sent.keep(new Sent(id, provider.entityId(), door, browser, returnTo));
  }

  private static <T> T make(
      OpenSaml5AuthenticationRequestResolver resolver,
      RelyingPartyRegistration registration,
      HttpServletRequest request,
      Class<T> type) {
    request.setAttribute(REGISTRATION, registration);
    try {
      Object made = resolver.resolve(request);
      return type.cast(java.util.Objects.requireNonNull(made, "a request was asked for"));
    } finally {
      request.removeAttribute(REGISTRATION);
    }
  }
}
