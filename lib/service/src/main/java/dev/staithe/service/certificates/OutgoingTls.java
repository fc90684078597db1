package dev.staithe.service.certificates;

import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A service's end of the TLS that it speaks with those behind it and beside it.
 *
 * @param tls null where it speaks TLS with nobody
 */
public record OutgoingTls(@Nullable ClientTls tls) implements AutoCloseable {
  /**
   * Opens it where somebody is reached by https.
   *
   * @param others whom the service connects to
   * @param trust as {@link ClientTrust#open} takes it, by the setting {@code staithe.trust}
   * @throws dev.staithe.service.OneLineFailure.NotStarted as there
   */
  public static OutgoingTls open(
      Stream<@Nullable URI> others,
      @Nullable Path trust,
      Duration checkInterval,
      TlsProvider provider,
      Clock clock) {
    return new OutgoingTls(
        others.anyMatch(each -> each != null && "https".equals(each.getScheme()))
            ? ClientTrust.open("staithe.trust", trust, checkInterval, provider, clock)
            : null);
  }

  /** For clients of Java's own; null where there is none. */
  public @Nullable SSLContext context() {
    return tls == null ? null : tls.context();
  }

  @Override
  public void close() {
    if (tls != null) {
      tls.close();
    }
  }
}
