package dev.staithe.slcs.saml.metadata;

import dev.staithe.service.Reason;
import dev.staithe.slcs.session.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metadata that are read again now and then. What was good last is kept in a file of this node, and
 * is used while the source is down or says something wrong, for as long as it is valid.
 *
 * @param <T> what is made of them
 */
final class MetadataSource<T> {
  private static final Logger log = LoggerFactory.getLogger(MetadataSource.class);

  /** A federation that is broken as a whole shall not fill the log. */
  private static final int MOST_TOLD = 20;

  private final String name;
  private final String location;
  private final Path kept;

  /** Digest of the location that the kept file came from. */
  private final Path origin;

  private final Reading<T> reading;
  private final Download download;
  private final Clock clock;
  private volatile @Nullable Loaded<T> current;
  private volatile @Nullable Instant refreshed;
  private boolean failing;
  private List<String> told = List.of();
  private List<String> said = List.of();

  /**
   * Makes something of a file.
   *
   * @param <T> what
   */
  @FunctionalInterface
  interface Reading<T> {
    /**
     * Reads and checks it.
     *
     * @throws IOException where it is of no use; the message goes on after the file's name
     */
    Loaded<T> read(Path file) throws IOException;
  }

  /**
   * What was made of a file.
   *
   * @param validUntil after which it must not be used (SAML metadata section 2.3.2); null: for ever
   * @param cacheDuration after which it should be read again; null: not said
   * @param faults what of it is of no use, or should not be relied on, a line each
   * @param told what it is, for the log; a line each
   * @param <T> what it is
   */
  record Loaded<T>(
      T value,
      @Nullable Instant validUntil,
      @Nullable Duration cacheDuration,
      List<String> faults,
      List<String> told) {
    /** Copies the lists. */
    Loaded {
      faults = List.copyOf(faults);
      told = List.copyOf(told);
    }
  }

  /**
   * @param name for the log, and for the name of the file
   * @param location a file or an https URL
   * @param state the folder of the kept file
   */
  MetadataSource(
      String name,
      String location,
      Path state,
      Reading<T> reading,
      Download download,
      Clock clock) {
    this.name = name;
    this.location = location;
    this.kept = state.resolve("metadata-" + name + ".xml");
    this.origin = state.resolve("metadata-" + name + ".origin");
    this.reading = reading;
    this.download = download;
    this.clock = clock;
  }

  String name() {
    return name;
  }

  /** What is known and still valid. */
  Optional<T> current() {
    Loaded<T> loaded = current;
    return loaded == null || over(loaded) ? Optional.empty() : Optional.of(loaded.value());
  }

  private boolean over(Loaded<T> loaded) {
    return Validity.over(loaded.validUntil(), clock.instant());
  }

  /** How many parts of it are of no use by themselves. */
  int faults() {
    Loaded<T> loaded = current;
    return loaded == null ? 0 : loaded.faults().size();
  }

  /** At the start, and whenever something is different. */
  private void tell(Loaded<T> loaded) {
    if (!loaded.told().equals(said)) {
      loaded.told().forEach(line -> log.info("metadata of {}: {}", name, line));
      said = loaded.told();
    }
    List<String> faults = loaded.faults();
    if (!faults.equals(told)) {
      faults.stream()
          .limit(MOST_TOLD)
          .forEach(fault -> log.warn("metadata of {}: faulty: {}", name, fault));
      if (faults.size() > MOST_TOLD) {
        log.warn("metadata of {}: faulty: {} more", name, faults.size() - MOST_TOLD);
      }
      told = faults;
    }
  }

  /** When the source was good last; empty where it was not since the start. */
  Optional<Instant> refreshed() {
    return Optional.ofNullable(refreshed);
  }

  /** Until when the metadata may be used, where they say. */
  Optional<Instant> validUntil() {
    Loaded<T> loaded = current;
    return loaded == null ? Optional.empty() : Optional.ofNullable(loaded.validUntil());
  }

  /** When to read again, at the latest after that time. */
  Duration next(Duration usual) {
    Loaded<T> loaded = current;
    Duration asked = loaded == null ? null : loaded.cacheDuration();
    Duration least = Duration.ofMinutes(1);
    Duration next = asked != null && asked.compareTo(usual) < 0 ? asked : usual;
    return next.compareTo(least) < 0 ? least : next;
  }

  /**
   * Reads for the first time; where that fails, what was kept.
   *
   * @throws IOException with one line where the source is a file that is of no use, and nothing was
   *     kept: nobody corrects that but the operator
   */
  void start() throws IOException {
    try {
      load();
    } catch (IOException e) {
      if (Files.isRegularFile(kept)) {
        try {
          if (isFromHere()) {
            current = reading.read(kept);
            failing = true;
            log.warn("metadata of {}: {}; going on with what was good last", name, Reason.of(e));
            return;
          }
        } catch (IOException worse) {
          log.warn("metadata of {}: what was kept is of no use: it {}", name, Reason.of(worse));
        }
      }
      if (!Download.isUrl(location)) {
        throw e;
      }
      failing = true;
      log.warn("metadata of {}: {}; it will be tried again", name, Reason.of(e));
    }
  }

  /** Whether the kept file came from this location; of old ones that was not noted. */
  private boolean isFromHere() throws IOException {
    return !Files.exists(origin) || Files.readString(origin).equals(Digests.of(location));
  }

  /** Reads again; what is known stays where that fails. Never throws. */
  synchronized boolean refresh() {
    try {
      load();
      if (failing) {
        log.info("metadata of {} are good again", name);
      }
      failing = false;
      return true;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        log.warn("metadata of {}: {}; going on with what is known", name, Reason.of(e));
      }
      failing = true;
      return false;
    }
  }

  /** What is wrong is told of the source: our copy is gone by then. */
  private Loaded<T> read(Path copy) throws IOException {
    try {
      Loaded<T> loaded = reading.read(copy);
      if (over(loaded)) {
        throw new IOException("was valid until " + loaded.validUntil());
      }
      return loaded;
    } catch (IOException e) {
      throw new IOException(
          location
              + " "
              + (isPage(copy)
                  ? "is an HTML page and no SAML metadata; name what gives the provider's metadata"
                  : e.getMessage()),
          e);
    }
  }

  /** Whether it is what a server shows people, as where it has an error to tell. */
  private static boolean isPage(Path copy) throws IOException {
    try (InputStream in = Files.newInputStream(copy)) {
      String start = new String(in.readNBytes(1024), StandardCharsets.ISO_8859_1);
      return start.toLowerCase(Locale.ROOT).matches("(?s).*<(!doctype html|html)\\b.*");
    }
  }

  private void load() throws IOException {
    Files.createDirectories(kept.toAbsolutePath().getParent());
    Path next = kept.resolveSibling(kept.getFileName() + ".next");
    try {
      if (Download.isUrl(location)) {
        download.to(location, next);
      } else {
        // Read from our copy: nobody changes it between the check and the reading.
        Files.copy(Path.of(location), next, StandardCopyOption.REPLACE_EXISTING);
      }
      Loaded<T> loaded = read(next);
      Files.move(next, kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      if (!Files.exists(origin) || !isFromHere()) {
        Path beside = origin.resolveSibling(origin.getFileName() + ".next");
        Files.writeString(beside, Digests.of(location));
        Files.move(
            beside, origin, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      }
      current = loaded;
      refreshed = clock.instant();
      tell(loaded);
    } finally {
      Files.deleteIfExists(next);
    }
  }
}
