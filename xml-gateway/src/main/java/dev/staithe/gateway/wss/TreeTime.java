package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * When a message was made, and until when it is good.
 *
 * @param expires as the message says; null where it does not
 */
record TreeTime(Instant created, @Nullable Instant expires) {
  private static final int MOST_OF_A_TIME = 64;

  static TreeTime read(Element timestamp) throws RefusedMessage {
    List<Element> parts = Elements.children(timestamp);
    if (parts.isEmpty()
        || parts.size() > 2
        || !Elements.is(parts.getFirst(), Namespaces.WSU, "Created")
        || (parts.size() == 2 && !Elements.is(parts.get(1), Namespaces.WSU, "Expires"))) {
      throw new RefusedMessage(Refusal.POLICY, "a timestamp that is not Created and then Expires");
    }
    return new TreeTime(
        instant(parts.getFirst()), parts.size() == 2 ? instant(parts.get(1)) : null);
  }

  static Instant instant(Element element) throws RefusedMessage {
    String text = Elements.text(element).strip();
    try {
      if (text.length() <= MOST_OF_A_TIME) {
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw new RefusedMessage(Refusal.POLICY, "a time that is none, or without a zone");
  }

  /** Whether it is good now. */
  void check(Instant now, Expectation.Limits limits) throws RefusedMessage {
    if (created.isAfter(now.plus(limits.skew()))) {
      throw new RefusedMessage(Refusal.STALE, "from the future");
    }
    if (expires != null && expires.isBefore(created)) {
      throw new RefusedMessage(Refusal.STALE, "ends before it begins");
    }
    if (!until(limits).isAfter(now)) {
      throw new RefusedMessage(Refusal.STALE, "too old");
    }
  }

  /** From when on it is refused, the skew of clocks included. */
  Instant until(Expectation.Limits limits) {
    Instant freshness = created.plus(limits.freshness());
    Instant end = expires != null && expires.isBefore(freshness) ? expires : freshness;
    return end.plus(limits.skew());
  }
}
