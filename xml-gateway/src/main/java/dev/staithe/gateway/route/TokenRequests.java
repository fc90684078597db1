package dev.staithe.gateway.route;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.trust.TrustAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests for contexts from those to the service, before either is opened: they come to the
 * same address (WS-SecureConversation 1.4 section 3) and are protected by another policy. What is
 * concluded here only chooses what is demanded; the action in the message is judged afterwards.
 */
final class TokenRequests {
  private static final byte[] MARK = "/RST/SCT".getBytes(StandardCharsets.US_ASCII);

  private TokenRequests() {}

  /** What is asked for; empty where the message is for the service. */
  static Optional<TrustAction> of(InForce inForce, Incoming incoming, byte[] envelope) {
    if (inForce.bootstrap() == null) {
      return Optional.empty();
    }
    String action = incoming.action();
    return action != null ? TrustAction.of(action) : written(envelope);
  }

  /** Where HTTP says no action, as SOAP 1.2 allows, the one in the message's text. */
  private static Optional<TrustAction> written(byte[] envelope) {
    outer:
    for (int i = 0; i <= envelope.length - MARK.length; i++) {
      for (int j = 0; j < MARK.length; j++) {
        if (envelope[i + j] != MARK[j]) {
          continue outer;
        }
      }
      int from = i;
      while (from > 0 && isOfUri(envelope[from - 1])) {
        from--;
      }
      int to = i + MARK.length;
      while (to < envelope.length && isOfUri(envelope[to])) {
        to++;
      }
      return TrustAction.of(new String(envelope, from, to - from, StandardCharsets.US_ASCII));
    }
    return Optional.empty();
  }

  private static boolean isOfUri(byte each) {
    return each > ' ' && each != '<' && each != '>' && each != '"' && each != '\'';
  }

  /**
   * What else may be demanded of one that does not meet it: who renews may do so by the bootstrap
   * policy too. Which of both they mean only opening tells.
   *
   * @return null where there is nothing else
   */
  static @Nullable Expectation otherwise(InForce inForce, Optional<TrustAction> asked) {
    Expectation bootstrap = inForce.bootstrap();
    return bootstrap != null && asked.isPresent() && asked.get().kind() == TrustAction.Kind.RENEW
        ? bootstrap.ofRenewal()
        : null;
  }

  /** What is demanded: the bootstrap policy of whoever has no context yet. */
  static Expectation expectation(InForce inForce, Optional<TrustAction> asked) {
    Expectation bootstrap = inForce.bootstrap();
    return bootstrap != null && asked.isPresent() && asked.get().kind() == TrustAction.Kind.ISSUE
        ? bootstrap
        : inForce.expectation();
  }
}
