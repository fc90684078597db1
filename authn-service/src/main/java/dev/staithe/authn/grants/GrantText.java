package dev.staithe.authn.grants;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.authn.clients.Digests;
import java.security.Principal;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2DeviceCode;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.OAuth2TokenFormat;

/**
 * Grants as JSON of our own: no class is named in it, so that nothing in the store can make us load
 * one. Tokens are kept as digests; in a grant that was read they stand as a tilde and the digest,
 * but for the one that was presented.
 */
public final class GrantText {
  /** What the first request asked for, in its order. */
  public static final String ASKED = "staithe.asked";

  /** The audiences that a device asked for, a list. */
  public static final String AUDIENCE = "staithe.audience";

  /** What was granted, where the scopes are said to be more for one request. */
  public static final String GRANTED = "staithe.granted";

  /** The digest of the access token that was presented, where it is not the grant's newest. */
  static final String FORMER = "staithe.former";

  /** The digest of the used refresh token that was presented again, because its answer was lost. */
  public static final String RETRIED = "staithe.retried";

  /** That the refresh token which was presented was used before. */
  static final String USED = "staithe.used";

  /** How often the grant was written. */
  static final String VERSION = "staithe.version";

  private static final String DIGEST = "~";
  private static final Set<String> TIMES = Set.of("iat", "exp", "nbf");
  private static final String REQUEST = OAuth2AuthorizationRequest.class.getName();
  private static final String FORMAT = OAuth2TokenFormat.class.getName();

  private GrantText() {}

  /** The digest of a value that may be one already. */
  static String digest(String value) {
    return isDigest(value) ? value.substring(1) : Digests.of(value);
  }

  /** Whether it only stands for a token: nobody may present one. */
  static boolean isDigest(String value) {
    return value.startsWith(DIGEST);
  }

  static String write(OAuth2Authorization grant) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", grant.getAuthorizationGrantType().getValue());
    Set<String> granted = grant.getAttribute(GRANTED);
    map.put("scopes", new ArrayList<>(granted == null ? grant.getAuthorizedScopes() : granted));
    map.put("asked", grant.getAttribute(ASKED));
    String state = grant.getAttribute(OAuth2ParameterNames.STATE);
    if (state != null) {
      map.put("state", digest(state));
    }
    Set<String> deviceScopes = grant.getAttribute(OAuth2ParameterNames.SCOPE);
    if (deviceScopes != null) {
      map.put("device", new ArrayList<>(deviceScopes));
    }
    if (grant.getAttribute(AUDIENCE) instanceof List<?> audiences) {
      map.put("audience", audiences);
    }
    if (grant.getAttribute(Principal.class.getName()) instanceof SignedIn user) {
      map.put("session", SessionText.write(user.session()));
    }
    OAuth2AuthorizationRequest request = grant.getAttribute(REQUEST);
    if (request != null) {
      map.put("request", request(request));
    }
    for (TokenKind kind : TokenKind.values()) {
      OAuth2Authorization.Token<? extends OAuth2Token> token = grant.getToken(kind.type());
      if (token != null) {
        map.put(kind.text(), token(token));
      }
    }
    return JSONObjectUtils.toJSONString(map);
  }

  private static Map<String, Object> request(OAuth2AuthorizationRequest request) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("uri", request.getAuthorizationUri());
    map.put("client", request.getClientId());
    map.put("redirect", request.getRedirectUri());
    map.put("state", request.getState());
    map.put("scopes", new ArrayList<>(request.getScopes()));
    Map<String, Object> parameters = new LinkedHashMap<>();
    request
        .getAdditionalParameters()
        .forEach(
            (name, value) ->
                parameters.put(name, value instanceof String[] many ? Arrays.asList(many) : value));
    map.put("parameters", parameters);
    return map;
  }

  private static Map<String, Object> token(OAuth2Authorization.Token<?> token) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("digest", digest(token.getToken().getTokenValue()));
    map.put("issued", millis(token.getToken().getIssuedAt()));
    map.put("expires", millis(token.getToken().getExpiresAt()));
    map.put("void", token.isInvalidated());
    if (token.getToken() instanceof OAuth2AccessToken access) {
      map.put("scopes", new ArrayList<>(access.getScopes()));
    }
    Map<String, Object> claims =
        token.getToken() instanceof OidcIdToken id ? id.getClaims() : token.getClaims();
    if (claims != null) {
      map.put("claims", plain(claims));
    }
    map.put("format", token.getMetadata(FORMAT));
    return map;
  }

  private static @Nullable Long millis(@Nullable Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  private static Map<String, Object> plain(Map<String, Object> claims) {
    Map<String, Object> map = new LinkedHashMap<>();
    claims.forEach(
        (name, value) ->
            map.put(
                name,
                switch (value) {
                  case Instant time -> time.getEpochSecond();
                  case Date time -> time.toInstant().getEpochSecond();
                  case Collection<?> many -> new ArrayList<>(many);
                  case java.net.URL url -> url.toString();
                  default -> value;
                }));
    return map;
  }

  /**
   * Reads a grant.
   *
   * @param presented gives the value that belongs to a digest, where it is known
   */
  static OAuth2Authorization read(
      String id,
      String client,
      String subject,
      int version,
      String body,
      UnaryOperator<String> presented) {
    Map<String, Object> map;
    try {
      map = JSONObjectUtils.parse(body);
    } catch (ParseException e) {
      throw new IllegalStateException("grant " + id + " cannot be read", e);
    }
    // Only the id is taken over; what the client may do is asked of the clients.
    RegisteredClient registered =
        RegisteredClient.withId(client)
            .clientId(client)
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();
    OAuth2Authorization.Builder grant =
        OAuth2Authorization.withRegisteredClient(registered)
            .id(id)
            .principalName(subject)
            .authorizationGrantType(new AuthorizationGrantType(text(map, "type")))
            .authorizedScopes(strings(map.get("scopes")))
            .attribute(VERSION, version);
    if (map.get("asked") instanceof String asked) {
      grant.attribute(ASKED, asked);
    }
    if (map.get("state") instanceof String state) {
      grant.attribute(OAuth2ParameterNames.STATE, presented.apply(state));
    }
    if (map.get("device") != null) {
      grant.attribute(OAuth2ParameterNames.SCOPE, strings(map.get("device")));
    }
    if (map.get("audience") instanceof List<?> audiences) {
      grant.attribute(AUDIENCE, audiences.stream().map(String::valueOf).toList());
    }
    if (map.get("session") instanceof String session) {
      grant.attribute(Principal.class.getName(), new SignedIn(SessionText.read(session)));
    }
    if (map.get("request") instanceof Map<?, ?> request) {
      grant.attribute(REQUEST, request(cast(request)));
    }
    for (TokenKind kind : TokenKind.values()) {
      if (map.get(kind.text()) instanceof Map<?, ?> token) {
        add(grant, kind, cast(token), presented);
      }
    }
    return grant.build();
  }

  /** What an access token says, to be read by {@link #withAccess}. */
  static String access(OAuth2Authorization.Token<OAuth2AccessToken> token) {
    return JSONObjectUtils.toJSONString(token(token));
  }

  /** The grant as it was when that access token was its newest. */
  static OAuth2Authorization withAccess(
      OAuth2Authorization grant, String content, String digest, String value) {
    try {
      OAuth2Authorization.Builder builder =
          OAuth2Authorization.from(grant).attribute(FORMER, digest);
      add(builder, TokenKind.ACCESS, JSONObjectUtils.parse(content), each -> value);
      return builder.build();
    } catch (ParseException e) {
      throw new IllegalStateException("an access token of the store cannot be read", e);
    }
  }

  /** The grant with a refresh token that was used before, which is good for nothing any more. */
  static OAuth2Authorization withUsed(OAuth2Authorization grant, String value) {
    return OAuth2Authorization.from(grant)
        .attribute(USED, true)
        .token(
            new OAuth2RefreshToken(value, null, null),
            metadata -> metadata.put(OAuth2Authorization.Token.INVALIDATED_METADATA_NAME, true))
        .build();
  }

  private static OAuth2AuthorizationRequest request(Map<String, Object> map) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    if (map.get("parameters") instanceof Map<?, ?> stored) {
      cast(stored)
          .forEach(
              (name, value) ->
                  parameters.put(
                      name, value instanceof List<?> many ? many.toArray(String[]::new) : value));
    }
    return OAuth2AuthorizationRequest.authorizationCode()
        .authorizationUri(text(map, "uri"))
        .clientId(text(map, "client"))
        .redirectUri((String) map.get("redirect"))
        .state((String) map.get("state"))
        .scopes(strings(map.get("scopes")))
        .additionalParameters(parameters)
        .build();
  }

  private static void add(
      OAuth2Authorization.Builder grant,
      TokenKind kind,
      Map<String, Object> map,
      UnaryOperator<String> presented) {
    String value = presented.apply(text(map, "digest"));
    Instant issued = time(map.get("issued"));
    Instant expires = time(map.get("expires"));
    Map<String, Object> claims =
        map.get("claims") instanceof Map<?, ?> stored ? timed(cast(stored)) : null;
    OAuth2Token token =
        switch (kind) {
          case CODE -> new OAuth2AuthorizationCode(value, issued, expires);
          case ACCESS ->
              new OAuth2AccessToken(
                  OAuth2AccessToken.TokenType.BEARER,
                  value,
                  issued,
                  expires,
                  strings(map.get("scopes")));
          case REFRESH -> new OAuth2RefreshToken(value, issued, expires);
          case ID -> new OidcIdToken(value, issued, expires, claims == null ? Map.of() : claims);
          case DEVICE -> new OAuth2DeviceCode(value, issued, expires);
          case USER -> new OAuth2UserCode(value, issued, expires);
        };
    grant.token(
        token,
        metadata -> {
          metadata.put(
              OAuth2Authorization.Token.INVALIDATED_METADATA_NAME,
              Boolean.TRUE.equals(map.get("void")));
          if (claims != null) {
            metadata.put(OAuth2Authorization.Token.CLAIMS_METADATA_NAME, claims);
          }
          if (map.get("format") instanceof String format) {
            metadata.put(FORMAT, format);
          }
        });
  }

  /** The value that stands for a token of which only the digest is known. */
  static String standIn(String digest) {
    return DIGEST + digest;
  }

  private static Map<String, Object> timed(Map<String, Object> claims) {
    Map<String, Object> map = new LinkedHashMap<>(claims);
    for (String name : TIMES) {
      if (map.get(name) instanceof Number seconds) {
        map.put(name, Instant.ofEpochSecond(seconds.longValue()));
      }
    }
    return map;
  }

  private static String text(Map<String, Object> map, String name) {
    if (map.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalStateException("a grant of the store has no " + name);
  }

  private static @Nullable Instant time(@Nullable Object millis) {
    return millis instanceof Number number ? Instant.ofEpochMilli(number.longValue()) : null;
  }

  private static Set<String> strings(@Nullable Object list) {
    Set<String> strings = new LinkedHashSet<>();
    if (list instanceof List<?> many) {
      many.forEach(each -> strings.add(String.valueOf(each)));
    }
    return new HashSet<>(strings);
  }

  private static Map<String, Object> cast(Map<?, ?> map) {
    Map<String, Object> cast = new LinkedHashMap<>();
    map.forEach((name, value) -> cast.put(String.valueOf(name), value));
    return cast;
  }
}
