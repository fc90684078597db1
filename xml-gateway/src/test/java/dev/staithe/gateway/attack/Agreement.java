package dev.staithe.gateway.attack;

import dev.staithe.wss.Opening;

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
              ? dev.staithe.gateway.engine.Agreement.difference(opened, other)
              : "the document tree alone refuses: " + dom;
    };
  }
}
