package dev.staithe.storage.files;

import java.util.List;

/**
 * A part of the namespace with its own root folder and its own rules.
 *
 * @param name unique, shown in logs and metrics
 * @param accessPoints paths under which it is reached, at least one
 * @param store the files
 */
public record StorageArea(String name, List<StoragePath> accessPoints, FileStore store) {
  /** Takes copies. */
  public StorageArea {
    accessPoints = List.copyOf(accessPoints);
  }
}
