package dev.staithe.perf.lean;

import java.util.Map;
import java.util.TreeMap;

/**
 * How a session service is asked: the three requests of the paper's user, as data. All are POST.
 * {@code {user}} stands for the name of the account in all of them and {@code {password}} for its
 * password in a login; what {@code kept} names is taken from its answer and stands in the others.
 *
 * @param name as {@code keycloak}
 * @param login makes a session
 * @param validate asks whether a token is good
 * @param logout ends a session
 * @param kept names of placeholders without braces, to the fields of the login's JSON answer
 * @param valid the field of a validation's JSON answer that is {@code true} for a good token
 */
public record TokenProtocol(
    String name, Call login, Call validate, Call logout, Map<String, String> kept, String valid) {

  /** The placeholder of the token. */
  private static final String TOKEN = "token";

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String JSON = "application/json";

  /**
   * A request.
   *
   * @param path below the server's address, with a slash first
   * @param headers besides {@code Host} and {@code Content-Length}
   * @param body content, perhaps empty
   */
  public record Call(String path, Map<String, String> headers, String body) {}

  /** Ours: OpenAM's interface without its versions. */
  public static TokenProtocol staithe() {
    return likeOpenam("staithe", Map.of(), Map.of());
  }

  /**
   * OpenAM 16, deployed as {@code /openam}. Its {@code validate} exists in version 1 of the
   * resource only.
   */
  public static TokenProtocol openam() {
    return likeOpenam(
        "openam",
        Map.of("Accept-API-Version", "resource=2.0, protocol=1.0"),
        Map.of("Accept-API-Version", "resource=1.1, protocol=1.0"));
  }

  private static TokenProtocol likeOpenam(
      String name, Map<String, String> loginVersion, Map<String, String> sessionVersion) {
    var login =
        with(
            loginVersion,
            Map.of(
                "Content-Type", JSON,
                "X-OpenAM-Username", "{user}",
                "X-OpenAM-Password", "{password}"));
    var session =
        with(sessionVersion, Map.of("Content-Type", JSON, "iPlanetDirectoryPro", "{token}"));
    return new TokenProtocol(
        name,
        new Call("/json/authenticate", login, "{}"),
        new Call("/json/sessions?_action=validate", session, "{}"),
        new Call("/json/sessions?_action=logout", session, "{}"),
        Map.of(TOKEN, "tokenId"),
        "valid");
  }

  /**
   * Keycloak: direct grant, introspection (RFC 7662), logout by the refresh token.
   *
   * @param realm its name
   * @param client a confidential client that is in the audience of its own tokens; otherwise
   *     introspection says {@code active:false}
   * @param secret of that client
   */
  public static TokenProtocol keycloak(String realm, String client, String secret) {
    String base = "/realms/" + realm + "/protocol/openid-connect";
    String caller = "client_id=" + client + "&client_secret=" + secret;
    Map<String, String> form = Map.of("Content-Type", FORM);
    return new TokenProtocol(
        "keycloak",
        new Call(
            base + "/token",
            form,
            "grant_type=password&username={user}&password={password}&" + caller),
        new Call(base + "/token/introspect", form, "token={token}&" + caller),
        new Call(base + "/logout", form, "refresh_token={refresh}&" + caller),
        Map.of(TOKEN, "access_token", "refresh", "refresh_token"),
        "active");
  }

  /**
   * The same with a header in each request that names the account, by which a balancer can send all
   * requests of one user to one node.
   */
  public TokenProtocol naming(String header) {
    return new TokenProtocol(
        name, naming(header, login), naming(header, validate), naming(header, logout), kept, valid);
  }

  private static Call naming(String header, Call call) {
    return new Call(call.path(), with(call.headers(), Map.of(header, "{user}")), call.body());
  }

  private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
    var all = new TreeMap<>(some);
    all.putAll(more);
    return Map.copyOf(all);
  }
}
