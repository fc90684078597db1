package dev.staithe.tls;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.VomsTrust;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose attributes of VOMS are believed: by a folder such as {@code /etc/grid-security/vomsdir},
 * which is read again when files in it change. Thread-safe; no file is read while a client waits.
 */
public final class VomsServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VomsServers.class);

  private final @Nullable Reloadable<VomsTrust> files;

  private VomsServers(@Nullable Reloadable<VomsTrust> files) {
    this.files = files;
  }

  /** Nobody is believed. */
  public static VomsServers none() {
    return new VomsServers(null);
  }

  /**
   * Reads the folder and begins to watch it.
   *
   * @param vomsdir absent: nobody is believed
   * @param interval between two looks at the files; zero for none but by {@link #reloadIfChanged}
   * @throws IOException where the folder cannot be read; the message is one line
   */
  public static VomsServers open(@Nullable Path vomsdir, Duration interval, Clock clock)
      throws IOException {
    if (vomsdir == null) {
      return none();
    }
    try {
      return new VomsServers(
          new Reloadable<>(
              "Trust in VOMS servers " + vomsdir,
              List.of(vomsdir),
              interval,
              clock,
              () -> read(vomsdir)));
    } catch (GeneralSecurityException e) {
      throw new IOException(vomsdir + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static VomsTrust read(Path vomsdir) throws IOException {
    VomsTrust trust = VomsTrust.read(vomsdir);
    for (TrustAnchors.Skipped skipped : trust.skipped()) {
      LOG.warn("Trust in VOMS servers: {} {}", skipped.file(), skipped.reason());
    }
    return trust;
  }

  /** What is in use: the same object until the files change. */
  public VomsTrust trust() {
    return files == null ? VomsTrust.none() : files.current();
  }

  /**
   * Looks at the files now, beside the regular looks.
   *
   * @return whether something new is in use now
   */
  public boolean reloadIfChanged() {
    return files != null && files.check();
  }

  /** Stops watching; what was read stays in use. */
  @Override
  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
