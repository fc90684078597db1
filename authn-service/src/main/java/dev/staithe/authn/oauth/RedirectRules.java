package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationContext;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;

/**
 * Where a code may be sent: to an address that is registered, character by character. Of those on
 * the user's own machine the port may be any, since a command line takes what is free (RFC 8252
 * section 7.3); {@code localhost} is one of them, though not recommended (section 8.3), because the
 * field's command lines register it. Whatever is wrong here is told to the user and sent nowhere.
 */
final class RedirectRules implements Consumer<OAuth2AuthorizationCodeRequestAuthenticationContext> {
  @Override
  public void accept(OAuth2AuthorizationCodeRequestAuthenticationContext context) {
    OAuth2AuthorizationCodeRequestAuthenticationToken request = context.getAuthentication();
    Collection<String> registered = context.getRegisteredClient().getRedirectUris();
    String asked = request.getRedirectUri();
    boolean good =
        asked == null || asked.isEmpty()
            // OpenID Connect Core 3.1.2.1 wants it always.
            ? registered.size() == 1 && !request.getScopes().contains("openid")
            : isAmong(registered, asked);
    if (!good) {
      throw AuthorizationRules.refused(
          new OAuth2Error(
              OAuth2ErrorCodes.INVALID_REQUEST,
              "the redirect URI is not registered",
              "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1"),
          request,
          null);
    }
  }

  static boolean isAmong(Collection<String> registered, String asked) {
    return registered.contains(asked)
        || registered.stream().anyMatch(each -> sameButForThePort(each, asked));
  }

  private static boolean sameButForThePort(String registered, String asked) {
    try {
      URI one = new URI(registered);
      URI other = new URI(asked);
      return "http".equals(one.getScheme())
          && "http".equals(other.getScheme())
          && one.getHost() != null
          && Client.LOOPBACK.contains(one.getHost())
          && one.getHost().equals(other.getHost())
          && other.getRawUserInfo() == null
          && other.getRawFragment() == null
          && Objects.equals(one.getRawPath(), other.getRawPath())
          && Objects.equals(one.getRawQuery(), other.getRawQuery());
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
