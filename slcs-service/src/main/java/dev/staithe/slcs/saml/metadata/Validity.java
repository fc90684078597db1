package dev.staithe.slcs.saml.metadata;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Until when metadata may be used (SAML metadata section 2.3): the earliest time counts. */
final class Validity {
  private Validity() {}

  /**
   * A time of SAML, which is in UTC also where it does not say so (SAML core section 1.3.3).
   *
   * @return null where there is none
   * @throws DateTimeException where it is no time: what ends at an unknown time must not be used
   */
  static @Nullable Instant time(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    var read =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(
            text.strip(), OffsetDateTime::from, LocalDateTime::from);
    return read instanceof OffsetDateTime with
        ? with.toInstant()
        : ((LocalDateTime) read).toInstant(ZoneOffset.UTC);
  }

  /** What an element says of itself; null: nothing. */
  static @Nullable Instant of(Element element) {
    return time(element.getAttribute("validUntil"));
  }

  static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  static boolean over(@Nullable Instant until, Instant now) {
    return until != null && !now.isBefore(until);
  }
}
