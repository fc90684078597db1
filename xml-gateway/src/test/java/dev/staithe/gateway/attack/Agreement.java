package dev.staithe.gateway.attack;

import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import java.util.Arrays;
import java.util.List;

/** What two engines must agree in. */
final class Agreement {
  private Agreement() {}

  /**
   * Compares two verdicts on one message.
   *
   * @return what they differ in; empty where they agree, or the first knows nothing of the shape
   */
  static String difference(Opening stream, Opening dom) {
    return switch (stream) {
      case Opening.Unknown _ -> "";
      case Opening.Refused refused ->
          dom instanceof Opening.Refused other
              ? refused.reason().told() == other.reason().told()
                  ? ""
                  : "refused as %s (%s) and as %s (%s)"
                      .formatted(refused.reason(), refused.detail(), other.reason(), other.detail())
              : "the streaming engine alone refuses: " + refused.reason() + " " + refused.detail();
      case Opening.Opened opened ->
          dom instanceof Opening.Opened other
              ? difference(opened, other)
              : "the document tree alone refuses: " + dom;
    };
  }

  private static String difference(Opening.Opened one, Opening.Opened other) {
    if (!Arrays.equals(one.message().body(), other.message().body())) {
      return "bodies differ";
    }
    if (!headers(one.message()).equals(headers(other.message()))) {
      return "header blocks differ";
    }
    if (!one.message().namespaces().equals(other.message().namespaces())) {
      return "declarations differ";
    }
    if (!one.message().addressing().equals(other.message().addressing())) {
      return "addressing differs";
    }
    if (!one.caller().subject().equals(other.caller().subject())) {
      return "callers differ";
    }
    if (!one.findings().signed().equals(other.findings().signed())
        || !one.findings().encrypted().equals(other.findings().encrypted())) {
      return "findings differ: " + one.findings() + " and " + other.findings();
    }
    return "";
  }

  private static List<String> headers(PlainMessage message) {
    return message.headers().stream()
        .map(each -> each.name() + " " + Arrays.hashCode(each.canonical()))
        .toList();
  }
}
