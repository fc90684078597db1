package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of our own service. */
final class DelegationJson {
  private DelegationJson() {}

  static ObjectNode write(AcquireRules rules) {
    ObjectNode written = JsonMapper.shared().createObjectNode();
    ArrayNode acquirers = written.putArray("acquirers");
    rules.acquirers().forEach(acquirer -> acquirers.add(acquirer.name()));
    if (rules.uses() != null) {
      written.put("uses", rules.uses().intValue());
    }
    written.put("hops", rules.hops());
    written.put("limited", rules.limited());
    if (rules.longest() != null) {
      written.put("longest", rules.longest().toSeconds());
    }
    return written;
  }

  static String key(KeyKind kind) {
    return switch (kind) {
      case EC_P256 -> "p-256";
      case RSA_2048 -> "rsa-2048";
      case RSA_3072 -> "rsa-3072";
    };
  }

  static Outcome<Delegation> read(JsonNode told) {
    try {
      JsonNode path = told.path("pathLeft");
      return new Outcome.Done<>(
          new Delegation(
              told.path("id").asString(),
              GridSubject.parse(told.path("owner").asString()),
              Instant.parse(told.path("notAfter").asString()),
              texts(told.path("fqans")),
              rules(told.path("rules")),
              told.path("used").asInt(0),
              told.path("limited").asBoolean(false),
              path.isNumber() ? Integer.valueOf(path.intValue()) : null,
              time(told.path("created")),
              time(told.path("renewed"))));
    } catch (IllegalArgumentException | DateTimeException | JacksonException e) {
      return Outcome.refused(Kind.BAD_ANSWER, "the service tells a delegation in another form");
    }
  }

  private static AcquireRules rules(JsonNode told) {
    JsonNode uses = told.path("uses");
    JsonNode longest = told.path("longest");
    return new AcquireRules(
        texts(told.path("acquirers")).stream().map(GridSubject::parse).toList(),
        uses.isNumber() ? Integer.valueOf(uses.intValue()) : null,
        told.path("hops").asInt(0),
        told.path("limited").asBoolean(false),
        longest.isNumber() ? Duration.ofSeconds(longest.longValue()) : null);
  }

  private static List<String> texts(JsonNode array) {
    var texts = new ArrayList<String>();
    array.forEach(each -> texts.add(each.asString()));
    return texts;
  }

  private static @Nullable Instant time(JsonNode told) {
    return told.isString() ? Instant.parse(told.asString()) : null;
  }

  /** What the service says itself, else what its status stands for. */
  static Kind kind(int status, JsonNode told) {
    String said = told.path("error").asString("").toUpperCase(Locale.ROOT).replace('-', '_');
    for (Kind kind : Kind.values()) {
      if (kind.name().equals(said) && kind.ordinal() <= Kind.UNAVAILABLE.ordinal()) {
        return kind;
      }
    }
    return kind(status);
  }

  /** What a status stands for that is no success. */
  static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.NOT_ALLOWED;
      case 404 -> Kind.UNKNOWN;
      case 409 -> Kind.CONFLICT;
      case 410 -> Kind.EXPIRED;
      case 413 -> Kind.TOO_LARGE;
      case 429 -> Kind.TOO_MANY;
      default -> status >= 500 ? Kind.UNAVAILABLE : Kind.BAD_REQUEST;
    };
  }
}
