package dev.staithe.authn.rest;

import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.seal.SealedNotes;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.tokens.SessionTokens;
import dev.staithe.authn.users.Users;
import dev.staithe.service.log.AuditLog;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/** Which address serves what. The names are those of OpenAM, so that its clients can be used. */
public final class RestInterface {
  private static final int SMALL = 16 * 1024;

  /** A thousand tokens of up to 1 KiB. */
  private static final int BATCH = 1200 * 1024;

  /** Where OpenAM is deployed, if nobody says otherwise. */
  private static final String OPENAM = "/openam";

  private static final Set<String> OURS = Set.of("/json/tokens", "/json/code", "/json/grants");

  private RestInterface() {}

  /** What is counted. */
  public interface Meters {
    /**
     * A token was judged.
     *
     * @param result {@code valid}, {@code unavailable} or why it is not good, in lower case
     */
    void validated(String result);
  }

  /** The door to all of it, to stand in front of the servlets. */
  public static RestDoor door(
      Logins logins,
      OneTimeCodes codes,
      SessionTokens tokens,
      Grants grants,
      SessionLink link,
      Sessions sessions,
      Users users,
      TokenKeys keys,
      Freshness usual,
      AuditLog audit,
      Meters meters,
      Clock clock) {
    var notes = new SealedNotes(AuthenticateApi.PURPOSE, keys, clock);
    var authenticate = new AuthenticateApi(logins, link, notes, clock);
    var api = new SessionsApi(sessions, link, usual, meters, clock);
    var paths = new HashMap<String, RestDoor.Endpoint>();
    Set<String> both = Set.of("GET", "POST");
    paths.put("/identity/isTokenValid", new RestDoor.Endpoint(both, SMALL, api::isTokenValid));
    paths.put("/identity/logout", new RestDoor.Endpoint(both, SMALL, api::identityLogout));
    paths.put(
        "/json/tokens",
        new RestDoor.Endpoint(
            Set.of("POST"), SMALL, new TokensApi(tokens, sessions, audit, clock)::issue));
    paths.put(
        "/json/code",
        new RestDoor.Endpoint(
            Set.of("POST"), SMALL, new CodesApi(logins, codes, sessions, audit)::act));
    paths.put(
        "/json/grants",
        new RestDoor.Endpoint(both, SMALL, new GrantsApi(grants, sessions, audit)::act));
    paths.put(
        "/identity/authenticate",
        new RestDoor.Endpoint(Set.of("POST"), SMALL, authenticate::identityAuthenticate));
    var openam = new OpenamApi(sessions, users, usual);
    paths.put("/identity/attributes", new RestDoor.Endpoint(both, SMALL, openam::attributes));
    for (String name : Set.of("getCookieNameForToken", "getCookieNamesToForward")) {
      paths.put("/identity/" + name, new RestDoor.Endpoint(both, SMALL, openam::cookieName));
    }
    for (String realm : Set.of("/json", "/json/realms/root")) {
      paths.put(
          realm + "/authenticate",
          new RestDoor.Endpoint(Set.of("POST"), SMALL, authenticate::authenticate));
      paths.put(realm + "/users", new RestDoor.Endpoint(Set.of("POST"), SMALL, openam::users));
      paths.put(
          realm + "/sessions",
          new RestDoor.Endpoint(
              both,
              BATCH,
              (call, threads) -> {
                if (call.method().equals("GET")) {
                  api.list(call, threads);
                } else {
                  api.act(call, threads);
                }
              }));
    }
    // Below OpenAM's own path too, so that its clients need another host only; not what it has not.
    for (String path : List.copyOf(paths.keySet())) {
      if (!OURS.contains(path)) {
        paths.put(OPENAM + path, paths.get(path));
      }
    }
    return new RestDoor(
        Map.copyOf(paths),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("rest-", 0).factory()));
  }
}
