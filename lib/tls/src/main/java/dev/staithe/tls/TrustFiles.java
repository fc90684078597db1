package dev.staithe.tls;

import dev.staithe.pki.PemException;
import dev.staithe.pki.TrustAnchors;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a folder of authorities again and again: a revocation list that is damaged meanwhile leaves
 * the one before in force, as a damaged host certificate does. Thread-safe.
 */
final class TrustFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TrustFiles.class);

  private final String what;
  private final Path path;
  private @Nullable TrustAnchors last;
  private List<TrustAnchors.Skipped> told = List.of();

  /** Has read nothing yet; log lines begin with {@code what}. */
  TrustFiles(String what, Path path) {
    this.what = what;
    this.path = path;
  }

  /** Reads the authorities and their lists. */
  synchronized TrustAnchors anchors() throws PemException {
    TrustAnchors read = TrustAnchors.read(path, last);
    last = read;
    return read;
  }

  /**
   * Tells of files that could not be used, of each once as long as nothing else is wrong with it.
   */
  synchronized void tell(List<TrustAnchors.Skipped> skipped) {
    for (TrustAnchors.Skipped each : skipped) {
      if (!told.contains(each)) {
        LOG.warn(
            "{}: {} {}{}",
            what,
            each.file(),
            each.reason(),
            each.earlierStays() ? "; what it said before stays in force" : "");
      }
    }
    told = skipped;
  }
}
