package dev.staithe.storage;

import dev.staithe.storage.authz.Networks;
import dev.staithe.storage.files.StateFolder;
import dev.staithe.storage.files.StoragePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/** Checks of configured values; each failure names the key, the value and what is allowed. */
final class Settings {
  private Settings() {}

  /** A configured value that is not allowed. */
  static final class NotAllowed extends IllegalArgumentException {
    private final String key;

    NotAllowed(String key, Object value, String allowed) {
      super(" = \"" + value + "\": must be " + allowed);
      this.key = key;
    }

    /** The key below the record that it stands in. */
    String key() {
      return key;
    }
  }

  static void require(boolean valid, String key, Object value, String allowed) {
    if (!valid) {
      throw new NotAllowed(key, value, allowed);
    }
  }

  static void requireWithin(Duration value, Duration least, Duration most, String key) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        text(value),
        text(least) + " to " + text(most));
  }

  /** As it is written in a configuration. */
  static String text(Duration value) {
    return value.toMillis() % 1000 == 0
        ? value.toString().substring(2).toLowerCase(java.util.Locale.ROOT)
        : value.toMillis() + "ms";
  }

  static void requireWithin(int value, int least, int most, String key) {
    require(value >= least && value <= most, key, value, least + " to " + most);
  }

  static void requireWithin(DataSize value, DataSize least, DataSize most, String key) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        key,
        value,
        text(least) + " to " + text(most));
  }

  /** As it is written in a configuration, in the largest unit that needs no fraction. */
  static String text(DataSize value) {
    List<DataUnit> units = List.of(DataUnit.GIGABYTES, DataUnit.MEGABYTES, DataUnit.KILOBYTES);
    List<String> suffixes = List.of("GB", "MB", "KB");
    for (int i = 0; i < units.size(); i++) {
      long one = DataSize.of(1, units.get(i)).toBytes();
      if (value.toBytes() > 0 && value.toBytes() % one == 0) {
        return value.toBytes() / one + suffixes.get(i);
      }
    }
    return value.toString();
  }

  static void requireFile(@Nullable Path file, String key) {
    require(
        file != null && StateFolder.isReadableFile(file),
        key,
        file == null ? "" : file,
        "a file that this user can read");
  }

  static void requireFolder(@Nullable Path folder, String key) {
    require(
        folder != null && StateFolder.isWritableFolder(folder),
        key,
        folder == null ? "" : folder,
        "a folder that this user can write");
  }

  static void requireScopes(String scopes) {
    require(!scopes.isBlank(), "scopes", scopes, "storage scopes such as storage.read:/");
  }

  static void requirePath(String path, String key) {
    try {
      StoragePath.of(path);
    } catch (IllegalArgumentException e) {
      throw new NotAllowed(key, path, "an absolute path without dot segments, such as /data");
    }
  }

  static void requireNetworks(List<String> networks, String key) {
    try {
      Networks.parse(networks);
    } catch (IllegalArgumentException e) {
      throw new NotAllowed(key, networks, "networks such as 10.0.0.0/8 or fd00::/8");
    }
  }

  static void requireDistinct(List<String> values, String list, String key) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      require(
          seen.add(values.get(i)),
          list + "[" + i + "]." + key,
          values.get(i),
          "different in each of staithe." + list);
    }
  }

  /** Areas may lie below each other in the namespace, where the longer path counts, not on disk. */
  static void requireApart(List<StorageProperties.Area> areas) {
    requireDistinct(areas.stream().map(StorageProperties.Area::name).toList(), "areas", "name");
    Set<StoragePath> accessPoints = new HashSet<>();
    for (int i = 0; i < areas.size(); i++) {
      for (String accessPoint : areas.get(i).accessPoints()) {
        require(
            accessPoints.add(StoragePath.of(accessPoint)),
            "areas[" + i + "].access-points",
            accessPoint,
            "different in each of staithe.areas");
      }
      for (int j = 0; j < i; j++) {
        require(
            StateFolder.areApart(areas.get(i).root(), areas.get(j).root()),
            "areas[" + i + "].root",
            String.valueOf(areas.get(i).root()),
            "neither inside nor around that of areas[" + j + "], " + areas.get(j).root());
      }
    }
  }
}
