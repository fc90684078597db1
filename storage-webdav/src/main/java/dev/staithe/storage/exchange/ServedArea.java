package dev.staithe.storage.exchange;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A storage area as it is served.
 *
 * @param area the files
 * @param rule who may do what there
 * @param options how methods behave there
 * @param views the files as each caller sees them; null where all see the same
 */
public record ServedArea(
    StorageArea area, Rule rule, Options options, @Nullable Function<Caller, FileStore> views) {
  /** Whose files all callers see alike, as far as the rule lets them. */
  public ServedArea(StorageArea area, Rule rule, Options options) {
    this(area, rule, options, null);
  }

  /** The same area as that caller sees it. */
  ServedArea seenBy(Caller caller) {
    return views == null
        ? this
        : new ServedArea(
            new StorageArea(area.name(), area.accessPoints(), views.apply(caller)),
            rule,
            options,
            views);
  }

  /** Decides whether a caller may; a pure function. */
  @FunctionalInterface
  public interface Rule {
    /** The admission to {@code right} at {@code path} below the area's root. */
    Admission decide(Asked asked, StoragePath path, Right right);
  }

  /**
   * How methods behave in an area.
   *
   * @param checksums computed on every upload while the bytes pass
   * @param safeDelete whether a collection with members is neither deleted nor replaced (412)
   * @param infiniteDepth whether PROPFIND of infinite depth is answered
   * @param direct whom GET sends on to where the bytes lie; null: nobody
   */
  public record Options(
      Set<ChecksumAlgorithm> checksums,
      boolean safeDelete,
      boolean infiniteDepth,
      @Nullable DirectReading direct) {
    /** Adler-32 on every upload, RFC 4918's DELETE, no infinite PROPFIND. */
    public static final Options DEFAULT =
        new Options(Set.of(ChecksumAlgorithm.ADLER32), false, false, null);

    /** Takes a copy. */
    public Options {
      checksums = Set.copyOf(checksums);
    }
  }
}
