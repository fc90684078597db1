package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.ProxyWish;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object that a caller sent. Fields that nobody knows, or that come twice, are refused: a
 * rule that was misspelt would else be one that does not hold. What is said of a field names it and
 * never its value.
 */
final class Question {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Bytes, with a request for a certificate in it. */
  private static final int LARGEST = 64 * 1024;

  private final JsonNode node;
  private final String where;

  private Question(JsonNode node, String where) {
    this.node = node;
    this.where = where;
  }

  /**
   * What was sent with a request: only what says that it is JSON, as a form of a page of somebody
   * else's cannot say so.
   *
   * @param known all fields that there may be
   * @throws HttpMediaTypeNotSupportedException where it is something else
   */
  static Question in(HttpServletRequest request, Set<String> known)
      throws IOException, CallRefused, HttpMediaTypeNotSupportedException {
    String body = BodyText.of(request, LARGEST);
    String type = request.getContentType();
    if (!body.isEmpty()
        && (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json"))) {
      throw new HttpMediaTypeNotSupportedException("no JSON");
    }
    return of(body, known);
  }

  /**
   * Reads one; an empty text is an object without fields.
   *
   * @param known all fields that there may be
   */
  static Question of(String text, Set<String> known) throws CallRefused {
    if (text.isBlank()) {
      return new Question(JSON.createObjectNode(), "");
    }
    try {
      return checked(JSON.readTree(text), "", known);
    } catch (JacksonException e) {
      // The message would repeat what was sent.
      throw CallRefused.badRequest("the body is no JSON object, or has a field twice");
    }
  }

  private static Question checked(JsonNode node, String where, Set<String> known)
      throws CallRefused {
    if (!node.isObject()) {
      throw CallRefused.badRequest(
          where.isEmpty() ? "the body is not a JSON object" : where + " is not");
    }
    for (String name : node.propertyNames()) {
      if (!known.contains(name)) {
        throw CallRefused.badRequest(
            (where.isEmpty() ? "a field" : "a field of " + where)
                + " is none of "
                + String.join(", ", known.stream().sorted().toList()));
      }
    }
    return new Question(node, where.isEmpty() ? "" : where + ".");
  }

  /** Whether there is something of this name. */
  boolean has(String name) {
    return node.hasNonNull(name);
  }

  @Nullable String text(String name) throws CallRefused {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isString()) {
      throw wrong(name, "a text");
    }
    return value.asString();
  }

  @Nullable Integer number(String name) throws CallRefused {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isInt()) {
      throw wrong(name, "a whole number");
    }
    return value.intValue();
  }

  private @Nullable Boolean flag(String name) throws CallRefused {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isBoolean()) {
      throw wrong(name, "true or false");
    }
    return value.booleanValue();
  }

  private @Nullable Duration span(String name) throws CallRefused {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    String written = value.isInt() || value.isString() ? value.asString() : "";
    return Span.of(written)
        .filter(Duration::isPositive)
        .orElseThrow(() -> wrong(name, "seconds, or a text such as 90m, 12h or 2d"));
  }

  private CallRefused wrong(String name, String expected) {
    return CallRefused.badRequest(where + name + " is not " + expected);
  }

  /** An id; null where there is none. */
  @Nullable DelegationId id(String name) throws CallRefused {
    String written = text(name);
    return written == null
        ? null
        : DelegationId.parse(written)
            .orElseThrow(
                () ->
                    wrong(
                        name,
                        "1 to 128 letters, digits, - _ and . that begin with one of the first two"));
  }

  /** The name of a certificate, in either way of writing; null where there is none. */
  @Nullable GridSubject subject(String name) throws CallRefused {
    String written = text(name);
    return written == null ? null : subject(name, written);
  }

  private GridSubject subject(String name, String written) throws CallRefused {
    try {
      return GridSubject.parse(written);
    } catch (IllegalArgumentException e) {
      throw wrong(name, "a certificate's name, such as CN=Ada,O=Example,C=DE");
    }
  }

  /** A kind of key; null where there is none. */
  @Nullable KeyKind key(String name) throws CallRefused {
    String written = text(name);
    if (written == null) {
      return null;
    }
    return switch (written.toLowerCase(Locale.ROOT)) {
      case "p-256" -> KeyKind.EC_P256;
      case "rsa-2048" -> KeyKind.RSA_2048;
      case "rsa-3072" -> KeyKind.RSA_3072;
      default -> throw wrong(name, "one of rsa-2048, rsa-3072, p-256");
    };
  }

  /**
   * Rules; null where there are none.
   *
   * @param usual where a field is missing
   */
  @Nullable AcquireRules rules(String name, AcquireRules usual) throws CallRefused {
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : rules(checked(value, name, RULES), usual);
  }

  static final Set<String> RULES = Set.of("acquirers", "uses", "hops", "limited", "longest");

  /** The rules that these fields are. */
  static AcquireRules rules(Question told, AcquireRules usual) throws CallRefused {
    Integer hops = told.number("hops");
    Boolean limited = told.flag("limited");
    Duration longest = told.span("longest");
    try {
      return new AcquireRules(
          told.acquirers(usual),
          // null says: as many as they like
          told.node.has("uses") ? told.number("uses") : usual.uses(),
          hops == null ? usual.hops() : hops,
          limited == null ? usual.limited() : limited,
          longest == null ? usual.longest() : longest);
    } catch (IllegalArgumentException e) {
      throw CallRefused.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private List<GridSubject> acquirers(AcquireRules usual) throws CallRefused {
    JsonNode value = node.get("acquirers");
    if (value == null || value.isNull()) {
      return usual.acquirers();
    }
    if (!value.isArray()) {
      throw wrong("acquirers", "a list of certificates' names");
    }
    List<GridSubject> subjects = new ArrayList<>();
    for (JsonNode each : value) {
      if (subjects.size() == AcquireRules.MOST_ACQUIRERS) {
        throw wrong("acquirers", "at most " + AcquireRules.MOST_ACQUIRERS + " names");
      }
      subjects.add(subject("acquirers", each.isString() ? each.asString() : ""));
    }
    return subjects;
  }

  /** What an acquirer would like. */
  ProxyWish wish() throws CallRefused {
    Boolean limited = flag("limited");
    try {
      return new ProxyWish(span("lifetime"), number("pathLength"), limited != null && limited);
    } catch (IllegalArgumentException e) {
      throw CallRefused.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
