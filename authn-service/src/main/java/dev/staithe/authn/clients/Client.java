package dev.staithe.authn.clients;

import dev.staithe.authn.keys.KeyAlgorithm;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A program that may ask for tokens.
 *
 * @param id 1 to 100 characters of {@code A-Za-z0-9._:-}
 * @param name for people, 1 to 200 characters, none of them a control character
 * @param confidential whether it keeps a secret; others prove themselves by PKCE only
 * @param redirectUris where codes may be sent: https, http to a loopback address or {@code
 *     localhost} (any port, RFC 8252 sections 7.3 and 8.3), or a scheme of its own with a dot in it
 *     (section 7.1)
 * @param logoutUris where a browser may be sent after a logout that the client began
 * @param grants what it may use
 * @param scopes what it may ask for, and everything below their paths
 * @param audiences the services that its tokens may be for; the first where it asks for none
 * @param consent whether users are asked before it gets a token
 * @param secondFactor whether users need their second factor for its tokens
 * @param algorithm how its tokens are signed
 * @param accessLifetime of access tokens, 1 minute to 6 hours (WLCG profile 1.3, section 4.2.3)
 * @param refreshLifetime of refresh tokens, each from its issue, 1 minute to 366 days
 * @param proofKey whether authorization requests need PKCE; where not, OpenID Connect's nonce does
 *     (RFC 9700 section 2.1.1), for clients with a secret only
 */
public record Client(
    String id,
    String name,
    boolean confidential,
    List<String> redirectUris,
    List<String> logoutUris,
    Set<Grant> grants,
    List<String> scopes,
    List<String> audiences,
    boolean consent,
    boolean secondFactor,
    KeyAlgorithm algorithm,
    Duration accessLifetime,
    Duration refreshLifetime,
    boolean proofKey) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

  /** Of this machine; the name too, which the field's command lines register. */
  public static final Set<String> LOOPBACK = Set.of("127.0.0.1", "[::1]", "localhost");

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MOST = 50;
  private static final int LONGEST = 1000;

  /** Takes copies. */
  public Client {
    redirectUris = List.copyOf(redirectUris);
    logoutUris = List.copyOf(logoutUris);
    grants = Set.copyOf(grants);
    scopes = List.copyOf(scopes);
    audiences = List.copyOf(audiences);
  }

  /** Whether a client may have that id. */
  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /** Whether it may ask for that. */
  public boolean mayAsk(Scope asked) {
    for (String each : scopes) {
      Scope granted = Scope.of(each);
      // Groups may be asked for one by one, and the profile's version with it.
      boolean group = granted.path() == null && granted.name().equals("wlcg.groups");
      boolean version = granted.name().equals("wlcg") && asked.name().equals("wlcg:1.0");
      if (asked.within(granted) || version || group && asked.name().equals("wlcg.groups")) {
        return true;
      }
    }
    return false;
  }

  /** Why it cannot be registered, as one line; null where it can. */
  @Nullable String problem() {
    if (!isId(id)) {
      return "an id has 1 to 100 characters of A-Za-z0-9._:-";
    }
    if (name.isBlank() || name.length() > 200 || name.chars().anyMatch(Character::isISOControl)) {
      return "a name has 1 to 200 characters and no control characters";
    }
    if (grants.isEmpty()) {
      return "a client needs at least one grant";
    }
    Set<Grant> secretOnes = EnumSet.of(Grant.CLIENT_CREDENTIALS, Grant.TOKEN_EXCHANGE);
    if (!confidential && grants.stream().anyMatch(secretOnes::contains)) {
      return "client credentials and token exchange need a client with a secret";
    }
    if (!confidential && !proofKey) {
      return "a client without a secret needs PKCE";
    }
    if (grants.contains(Grant.AUTHORIZATION_CODE) == redirectUris.isEmpty()) {
      return "redirect URIs belong to the authorization code, and it needs them";
    }
    String written = lists();
    if (written != null) {
      return written;
    }
    if (accessLifetime.compareTo(MINUTE) < 0 || accessLifetime.compareTo(Duration.ofHours(6)) > 0) {
      return "access tokens live 1 minute to 6 hours";
    }
    return refreshLifetime.compareTo(MINUTE) < 0
            || refreshLifetime.compareTo(Duration.ofDays(366)) > 0
        ? "refresh tokens live 1 minute to 366 days"
        : null;
  }

  private @Nullable String lists() {
    for (List<String> list : List.of(redirectUris, logoutUris, scopes, audiences)) {
      if (list.size() > MOST || list.stream().anyMatch(each -> each.length() > LONGEST)) {
        return "no more than " + MOST + " of " + LONGEST + " characters each";
      }
    }
    for (List<String> uris : List.of(redirectUris, logoutUris)) {
      for (String uri : uris) {
        if (!allowed(uri)) {
          return "\"" + uri + "\" is neither https nor http to a loopback address or localhost";
        }
      }
    }
    for (String scope : scopes) {
      if (Scope.parse(scope).isEmpty()) {
        return "\"" + scope + "\" is no scope";
      }
    }
    return audiences.stream().anyMatch(each -> !each.matches("[!-~]+"))
        ? "an audience has no blanks and only ASCII"
        : null;
  }

  private static boolean allowed(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      if (scheme == null || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
        return false;
      }
      String host = uri.getHost();
      return switch (scheme) {
        case "https" -> host != null;
        case "http" -> host != null && LOOPBACK.contains(host);
        default -> scheme.indexOf('.') > 0;
      };
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
