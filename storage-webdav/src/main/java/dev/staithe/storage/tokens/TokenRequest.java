package dev.staithe.storage.tokens;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.issuers.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a client asks for. */
sealed interface TokenRequest {
  /**
   * A macaroon.
   *
   * @param target what it is asked for, from the server's root; null where all is in the caveats
   * @param caveats as they are written
   * @param validity asked for, or null
   */
  record Macaroon(@Nullable StoragePath target, List<String> caveats, @Nullable Duration validity)
      implements TokenRequest {}

  /**
   * A JWT.
   *
   * @param scopes with paths from the server's root
   * @param validity asked for, or null
   */
  record Jwt(Scopes scopes, @Nullable Duration validity) implements TokenRequest {}

  /** A request that cannot be understood. */
  final class BadException extends Exception {
    private static final long serialVersionUID = 1;

    /** Of RFC 6749 section 5.2, such as {@code invalid_scope}. */
    private final String code;

    BadException(String code, String reason) {
      super(reason, null, false, false);
      this.code = code;
    }

    String code() {
      return code;
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  int MOST_CAVEATS = 32;
  int LONGEST_CAVEAT = 1024;

  /**
   * Reads the content of a {@code POST} with {@code application/macaroon-request}, as dCache has
   * it: {@code {"caveats": ["activity:LIST"], "validity": "PT1H"}}, both optional.
   *
   * @param target of the request
   */
  static Macaroon ofJson(StoragePath target, String json) throws BadException {
    Map<String, Object> asked;
    List<String> caveats = new ArrayList<>();
    try {
      asked = json.isBlank() ? Map.of() : Json.object(json);
      if (asked.get("caveats") != null) {
        for (Object each : JSONObjectUtils.getJSONArray(asked, "caveats")) {
          if (!(each instanceof String caveat)
              || caveat.length() > LONGEST_CAVEAT
              || caveats.size() == MOST_CAVEATS) {
            throw new ParseException("", 0);
          }
          caveats.add(caveat);
        }
      }
    } catch (ParseException e) {
      throw new BadException(
          "invalid_request",
          "write JSON such as {\"caveats\": [\"activity:DOWNLOAD,LIST\"], \"validity\": \"PT1H\"}"
              + " with at most "
              + MOST_CAVEATS
              + " caveats");
    }
    Object validity = asked.get("validity");
    return new Macaroon(target, caveats, validity == null ? null : validity(validity));
  }

  private static Duration validity(Object written) throws BadException {
    try {
      Duration validity = Duration.parse(String.valueOf(written));
      if (validity.isPositive()) {
        return validity;
      }
    } catch (DateTimeException noDuration) {
      // told below
    }
    throw new BadException(
        "invalid_request",
        "the validity "
            + ForeignText.shown(String.valueOf(written))
            + " is no duration; write one such as PT1H");
  }

  /**
   * Reads the form of a token endpoint (RFC 6749 section 4.4.2). gfal2 and FTS write {@code
   * scopes=DOWNLOAD:/path LIST:/path} and {@code expire_in}, StoRM's clients {@code scope} and
   * {@code lifetime}.
   *
   * @param byDefault the scope where none is asked for, or null where one must be
   */
  static TokenRequest ofForm(String form, @Nullable String byDefault) throws BadException {
    Map<String, String> fields = fields(form);
    if (!"client_credentials".equals(fields.get("grant_type"))) {
      throw new BadException("unsupported_grant_type", "grant_type is client_credentials here");
    }
    Duration validity = null;
    for (String name : List.of("expire_in", "expires_in", "lifetime")) {
      String seconds = fields.get(name);
      if (seconds != null) {
        if (!seconds.matches("[1-9][0-9]{0,8}")) {
          throw new BadException("invalid_request", name + " is a number of seconds");
        }
        validity = Duration.ofSeconds(Integer.parseInt(seconds));
      }
    }
    String scope = fields.getOrDefault("scope", fields.getOrDefault("scopes", "")).strip();
    if (scope.isEmpty()) {
      if (byDefault == null) {
        throw new BadException(
            "invalid_scope",
            "name a scope such as storage.read:/path, for a macaroon DOWNLOAD:/path");
      }
      scope = byDefault;
    }
    return scope.startsWith("storage.")
        ? new Jwt(scopes(scope), validity)
        : macaroon(scope, validity);
  }

  private static Scopes scopes(String scope) throws BadException {
    try {
      return Scopes.of(scope);
    } catch (IllegalArgumentException e) {
      throw new BadException("invalid_scope", ForeignText.shown(String.valueOf(e.getMessage())));
    }
  }

  /** One macaroon has one path for all that may be done there. */
  private static Macaroon macaroon(String scope, @Nullable Duration validity) throws BadException {
    Set<String> activities = new LinkedHashSet<>();
    Set<String> paths = new LinkedHashSet<>();
    for (String each : scope.split(" +")) {
      int colon = each.indexOf(':');
      String name = colon < 0 ? each : each.substring(0, colon);
      if (colon < 0 || Activity.of(name) == null) {
        throw new BadException(
            "invalid_scope",
            ForeignText.shown(each) + " is no scope; write one such as DOWNLOAD:/path");
      }
      activities.add(name);
      paths.add(each.substring(colon + 1));
    }
    if (paths.size() > 1) {
      throw new BadException(
          "invalid_scope", "a macaroon has one path; ask for storage.read:/path and the like");
    }
    return new Macaroon(
        null,
        List.of("path:" + paths.iterator().next(), "activity:" + String.join(",", activities)),
        validity);
  }

  private static Map<String, String> fields(String form) throws BadException {
    Map<String, String> fields = new HashMap<>();
    try {
      for (String each : form.strip().split("&")) {
        int equals = each.indexOf('=');
        String name = each.substring(0, Math.max(equals, 0));
        String value = URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8);
        if (fields.put(name, value) != null) {
          throw new BadException("invalid_request", "a field is there twice");
        }
      }
    } catch (IllegalArgumentException malformed) {
      throw new BadException("invalid_request", "the form is not well written");
    }
    return fields;
  }
}
