package dev.staithe.authn.tokens;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.grants.ProtocolRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationToken;

/** The services that a token is asked for: {@code audience} and {@code resource} (RFC 8707). */
public final class Audiences {
  private static final OAuth2Error INVALID_TARGET =
      new OAuth2Error(
          "invalid_target",
          "the client may not ask for tokens for that audience",
          "https://www.rfc-editor.org/rfc/rfc8707#section-2");

  private Audiences() {}

  /** What parameters ask for, in order. */
  public static Set<String> of(@Nullable Map<String, Object> parameters) {
    Set<String> all = new LinkedHashSet<>();
    if (parameters != null) {
      for (String name : List.of("audience", "resource")) {
        switch (parameters.get(name)) {
          // The profile's clients also write several into one, separated by blanks.
          case String one -> all.addAll(ProtocolRequest.words(one));
          case String[] many ->
              Arrays.stream(many).map(ProtocolRequest::words).forEach(all::addAll);
          case null, default -> {}
        }
      }
    }
    return all;
  }

  /** What an exchange asks a token for, in order. */
  public static List<String> of(OAuth2TokenExchangeAuthenticationToken exchange) {
    List<String> asked = new ArrayList<>(exchange.getAudiences());
    asked.addAll(exchange.getResources());
    return asked;
  }

  /** What that client's token is for, where that is asked for; refuses what it may not have. */
  public static Set<String> allowed(Client client, Collection<String> asked, String otherwise) {
    if (asked.isEmpty()) {
      return Set.of(client.audiences().isEmpty() ? otherwise : client.audiences().getFirst());
    }
    if (!client.audiences().containsAll(asked)) {
      throw new OAuth2AuthenticationException(INVALID_TARGET);
    }
    return new LinkedHashSet<>(asked);
  }

  /** What the token request asks for, within what the authorization request did. */
  static Set<String> within(Set<String> later, Set<String> first) {
    if (!first.isEmpty() && !first.containsAll(later)) {
      throw new OAuth2AuthenticationException(INVALID_TARGET);
    }
    return later.isEmpty() ? first : later;
  }
}
