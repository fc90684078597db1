package dev.staithe.authn.browser;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.FactorRules;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.ProtocolRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

/** What pages need to know of requests that wait for a user. Thread-safe. */
public final class Questions {
  private static final OAuth2TokenType STATE = new OAuth2TokenType(OAuth2ParameterNames.STATE);
  private static final OAuth2TokenType CODE = new OAuth2TokenType(OAuth2ParameterNames.USER_CODE);

  private final Grants grants;
  private final Clients clients;
  private final FactorRules factors;

  public Questions(Grants grants, Clients clients, FactorRules factors) {
    this.grants = grants;
    this.clients = clients;
    this.factors = factors;
  }

  /**
   * The question of that state, where it is this user's. What the page's own address says is not
   * believed: it can be written by anybody.
   */
  public Optional<Question> pending(String state, String subject) {
    OAuth2Authorization grant = state.isEmpty() ? null : grants.findByToken(state, STATE);
    if (grant == null || !grant.getPrincipalName().equals(subject)) {
      return Optional.empty();
    }
    Set<String> asked = grant.getAttribute(OAuth2ParameterNames.SCOPE);
    OAuth2AuthorizationRequest request =
        grant.getAttribute(OAuth2AuthorizationRequest.class.getName());
    Set<String> scopes = asked != null ? asked : request == null ? Set.of() : request.getScopes();
    Set<String> ordered = new LinkedHashSet<>();
    if (grant.getAttribute(GrantText.ASKED) instanceof String text) {
      ordered.addAll(ProtocolRequest.words(text));
    }
    ordered.addAll(scopes);
    ordered.retainAll(scopes);
    String redirect = request == null ? null : request.getRedirectUri();
    return clients
        .find(grant.getRegisteredClientId())
        .map(
            client ->
                new Question(
                    client,
                    new ArrayList<>(ordered),
                    asked != null,
                    asked != null
                        ? ""
                        : origin(redirect == null ? client.redirectUris().getFirst() : redirect)));
  }

  /** Whether that request, known by client and scopes, needs a second factor. */
  public boolean needsSecondFactor(String client, String scopes) {
    return factors.need(client, ProtocolRequest.words(scopes));
  }

  /** Whether the device of that code needs a second factor. */
  public boolean deviceNeedsSecondFactor(String userCode) {
    OAuth2Authorization grant =
        userCode.isEmpty() ? null : grants.findByToken(normal(userCode), CODE);
    if (grant == null) {
      return false;
    }
    Set<String> scopes = grant.getAttribute(OAuth2ParameterNames.SCOPE);
    return factors.need(grant.getRegisteredClientId(), scopes == null ? Set.of() : scopes);
  }

  /** The origins that a browser may be sent to on behalf of a client, for a page's policy. */
  public List<String> targets(String client) {
    return clients
        .find(client)
        .map(each -> each.redirectUris().stream().map(Questions::origin).distinct().toList())
        .orElse(List.of());
  }

  /** A user code as it was issued: people leave the hyphen away and write small letters. */
  static String normal(String code) {
    String letters = code.toUpperCase(java.util.Locale.ROOT).replaceAll("[^A-Z]", "");
    return letters.length() == 8 ? letters.substring(0, 4) + "-" + letters.substring(4) : code;
  }

  private static String origin(String uri) {
    try {
      URI parsed = new URI(uri);
      if (parsed.getHost() == null) {
        return parsed.getScheme() + ":";
      }
      boolean loopback = Client.LOOPBACK.contains(parsed.getHost());
      String port = loopback ? ":*" : parsed.getPort() < 0 ? "" : ":" + parsed.getPort();
      return parsed.getScheme() + "://" + parsed.getHost() + port;
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
