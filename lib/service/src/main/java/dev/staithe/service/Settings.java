package dev.staithe.service;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/**
 * Checks of configured values; each failure names the key, the value and what is allowed. Keys are
 * relative to the record that checks.
 */
public final class Settings {
  private static final String A_FILE = "a file that this user can read";
  private static final String A_FOLDER = "a folder that this user can write";

  private Settings() {}

  /** A configured value that is not allowed. */
  public static sealed class InvalidSetting extends IllegalArgumentException {
    private final String key;

    /** Refuses {@code value}; {@code allowed} goes on after "must be". */
    public InvalidSetting(String key, Object value, String allowed) {
      super(" = \"" + value + "\": must be " + allowed);
      this.key = key;
    }

    /** The key below the record that it stands in. */
    public String key() {
      return key;
    }
  }

  /** A file or folder that is not there for this user, and may be once its disk is mounted. */
  public static final class NotThere extends InvalidSetting {
    NotThere(String key, Path named, String allowed) {
      super(key, named, allowed);
    }
  }

  /**
   * Refuses a value that is not valid.
   *
   * @throws NotAllowed where it is not
   */
  public static void require(boolean valid, String key, Object value, String allowed) {
    if (!valid) {
      throw new InvalidSetting(key, value instanceof DataSize size ? text(size) : value, allowed);
    }
  }

  /** Refuses a duration out of a range, whose ends are allowed. */
  public static void requireWithin(Duration value, Duration least, Duration most, String key) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        text(value),
        text(least) + " to " + text(most));
  }

  /** As it is written in a configuration. */
  public static String text(Duration value) {
    return value.toMillis() % 1000 == 0
        ? value.toString().substring(2).toLowerCase(java.util.Locale.ROOT)
        : value.toMillis() + "ms";
  }

  /** Refuses a number out of a range, whose ends are allowed. */
  public static void requireWithin(int value, int least, int most, String key) {
    require(value >= least && value <= most, key, value, least + " to " + most);
  }

  /** Refuses a size out of a range, whose ends are allowed. */
  public static void requireWithin(DataSize value, DataSize least, DataSize most, String key) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        value,
        text(least) + " to " + text(most));
  }

  /** As it is written in a configuration, in the largest unit that needs no fraction. */
  public static String text(DataSize value) {
    List<DataUnit> units = List.of(DataUnit.GIGABYTES, DataUnit.MEGABYTES, DataUnit.KILOBYTES);
    List<String> suffixes = List.of("GB", "MB", "KB");
    for (int i = 0; i < units.size(); i++) {
      long one = DataSize.of(1, units.get(i)).toBytes();
      if (value.toBytes() != 0 && value.toBytes() % one == 0) {
        return value.toBytes() / one + suffixes.get(i);
      }
    }
    return value.toString();
  }

  /**
   * Refuses what is no URL by which clients can know this service.
   *
   * @param schemes that it may have
   */
  public static void requireOwnUrl(
      @Nullable URI url, Set<String> schemes, String key, String example) {
    require(
        url != null
            && schemes.contains(String.valueOf(url.getScheme()))
            && url.getHost() != null
            && url.getRawQuery() == null
            && url.getRawFragment() == null
            && !url.toString().endsWith("/"),
        key,
        url == null ? "" : url,
        "the URL of this service without a slash at its end, as " + example);
  }

  /** Refuses what is no URL of another service: https, or http on this machine. */
  public static void requireServiceUrl(@Nullable URI url, String key, String example) {
    require(
        url != null
            && url.getHost() != null
            && ("https".equals(url.getScheme())
                || ("http".equals(url.getScheme())
                    && Set.of("127.0.0.1", "localhost", "[::1]").contains(url.getHost())))
            && url.getRawQuery() == null
            && !url.toString().endsWith("/"),
        key,
        url == null ? "" : url,
        "an https URL without a slash at its end, as " + example);
  }

  /** Refuses what is no file that this user can read. */
  public static void requireFile(@Nullable Path file, String key) {
    Path named = named(file, key, A_FILE);
    if (!Files.isRegularFile(named) || !Files.isReadable(named)) {
      throw new NotThere(key, named, A_FILE);
    }
  }

  /** Refuses what is no folder that this user can write. */
  public static void requireFolder(@Nullable Path folder, String key) {
    Path named = named(folder, key, A_FOLDER);
    if (!Files.isDirectory(named) || !Files.isWritable(named)) {
      throw new NotThere(key, named, A_FOLDER);
    }
  }

  /** Refuses what is not named at all, which no disk that is mounted later changes. */
  private static Path named(@Nullable Path path, String key, String allowed) {
    if (path == null || path.toString().isEmpty()) {
      throw new InvalidSetting(key, "", allowed);
    }
    return path;
  }

  /** Refuses what {@link Networks} cannot read. */
  public static void requireNetworks(List<String> networks, String key) {
    try {
      Networks.parse(networks);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(key, networks, "networks such as 10.0.0.0/8 or fd00::/8");
    }
  }

  /** Refuses the second of two equal values, which are those of one key in a list of groups. */
  public static void requireDistinct(List<String> values, String list, String key) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      require(
          seen.add(values.get(i)),
          list + "[" + i + "]." + key,
          values.get(i),
          "different in each of staithe." + list);
    }
  }
}
