package dev.staithe.wss.trust;

import java.util.Locale;
import java.util.Optional;

/**
 * What is done with a context, as the action of a message names it (WS-SecureConversation 1.4
 * sections 3, 5 and 6).
 */
public record TrustAction(TrustVersion version, Kind kind) {
  /** What is done. */
  public enum Kind {
    /** A new one is asked for. */
    ISSUE("/Issue", ""),
    /** One is to live longer. */
    RENEW("/Renew", "/Renew"),
    /** One is to end. */
    CANCEL("/Cancel", "/Cancel");

    private final String requestType;
    private final String suffix;

    Kind(String requestType, String suffix) {
      this.requestType = requestType;
      this.suffix = suffix;
    }

    /** What {@code RequestType} says. */
    public String requestType(TrustVersion version) {
      return version.trust() + requestType;
    }

    /** For logs and metrics: {@code issue}, {@code renew}, {@code cancel}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The action of a request. */
  public String request() {
    return version.trust() + "/RST/SCT" + kind.suffix;
  }

  /** The action of its answer. */
  public String answer() {
    return version.trust() + "/RSTR/SCT" + kind.suffix;
  }

  /** What the action of a request asks for; empty where it is no request for a context. */
  public static Optional<TrustAction> of(String action) {
    for (TrustVersion version : TrustVersion.values()) {
      if (action.startsWith(version.trust())) {
        for (Kind kind : Kind.values()) {
          TrustAction each = new TrustAction(version, kind);
          if (each.request().equals(action)) {
            return Optional.of(each);
          }
        }
      }
    }
    return Optional.empty();
  }
}
