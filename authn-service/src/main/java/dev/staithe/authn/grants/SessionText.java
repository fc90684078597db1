package dev.staithe.authn.grants;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.SessionToken;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A session as grants keep it: what it takes to ask whether it was ended. No secret. */
final class SessionText {
  private SessionText() {}

  static String write(SessionToken session) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", session.id().toString());
    map.put("epoch", session.epoch());
    map.put("sub", session.subject());
    map.put("level", session.assurance().level());
    map.put("issued", session.issued().toEpochMilli());
    map.put("expires", session.expires().getEpochSecond());
    map.put("idle", session.idle().toSeconds());
    return JSONObjectUtils.toJSONString(map);
  }

  static SessionToken read(String text) {
    try {
      Map<String, Object> map = JSONObjectUtils.parse(text);
      return new SessionToken(
          SessionId.parse(String.valueOf(map.get("id"))).orElseThrow(),
          number(map, "epoch"),
          String.valueOf(map.get("sub")),
          Assurance.of((int) number(map, "level")),
          Instant.ofEpochMilli(number(map, "issued")),
          Instant.ofEpochSecond(number(map, "expires")),
          Duration.ofSeconds(number(map, "idle")));
    } catch (ParseException e) {
      throw new IllegalStateException("a grant's session cannot be read", e);
    }
  }

  private static long number(Map<String, Object> map, String name) {
    if (map.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalStateException("a grant's session has no " + name);
  }
}
