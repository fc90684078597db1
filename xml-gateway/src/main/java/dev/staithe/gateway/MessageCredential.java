package dev.staithe.gateway;

import dev.staithe.pki.Credential;
import dev.staithe.tls.Reloadable;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's certificate and key for messages, as their files are; and for a day those before,
 * for which clients encrypt until they have the new ones. Thread-safe.
 */
final class MessageCredential implements Surroundings.Own, AutoCloseable {
  static final Duration KEPT = Duration.ofDays(1);
  private static final int MOST = 4;

  private record Former(Credential credential, Instant until) {}

  private final Clock clock;
  private final Reloadable<Credential> files;
  private volatile List<Former> former = List.of();

  /** What was read last; for whoever reads, one at a time. */
  private @Nullable Credential last;

  /**
   * Reads them.
   *
   * @param interval between two looks at the files; zero for none
   */
  MessageCredential(Path certificate, Path key, Duration interval, Clock clock)
      throws IOException, GeneralSecurityException {
    this.clock = clock;
    this.files =
        new Reloadable<>(
            "Message certificate " + certificate,
            List.of(certificate, key),
            interval,
            clock,
            () -> read(certificate, key));
  }

  private Credential read(Path certificate, Path key) throws IOException {
    Credential read = Credential.read(certificate, key);
    if (!read.key().getAlgorithm().equals("RSA")) {
      throw new IOException(certificate + " is not of RSA, as clients encrypt keys for it");
    }
    Credential before = last;
    if (before != null && !before.certificate().equals(read.certificate())) {
      Instant now = clock.instant();
      List<Former> kept = new ArrayList<>();
      kept.add(new Former(before, now.plus(KEPT)));
      kept.addAll(former);
      kept.removeIf(
          each ->
              !now.isBefore(each.until())
                  || each.credential().certificate().equals(read.certificate()));
      former = List.copyOf(kept.subList(0, Math.min(kept.size(), MOST)));
    }
    last = read;
    return read;
  }

  @Override
  public Credential get() {
    return files.current();
  }

  @Override
  public List<Credential> former() {
    List<Former> kept = former;
    if (kept.isEmpty()) {
      return List.of();
    }
    Instant now = clock.instant();
    return kept.stream()
        .filter(each -> now.isBefore(each.until()))
        .map(Former::credential)
        .toList();
  }

  /** As they are on the disk. */
  Reloadable<Credential> files() {
    return files;
  }

  @Override
  public void close() {
    files.close();
  }
}
