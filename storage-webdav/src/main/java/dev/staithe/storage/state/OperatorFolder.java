package dev.staithe.storage.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder of the operator's with configuration, outside of all areas. */
public final class OperatorFolder {
  private OperatorFolder() {}

  /**
   * The files whose names end so, in the order of their names.
   *
   * @throws IOException where the folder is not there, is none, or cannot be read
   */
  public static List<Path> ending(Path folder, String suffix) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /** Whether a file is at that path, and no folder. */
  public static boolean hasFile(Path path) {
    return Files.exists(path) && !Files.isDirectory(path);
  }

  /** Whether a folder is at that path. */
  public static boolean hasFolder(Path path) {
    return Files.isDirectory(path);
  }

  /**
   * Makes new files with that text, and the folder. Where one of them is there already, none is
   * written.
   *
   * @throws FileAlreadyExistsException that names the one that is there
   */
  public static void make(Path folder, Map<Path, String> files) throws IOException {
    for (Path file : files.keySet()) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(file.toString());
      }
    }
    Files.createDirectories(folder);
    for (Map.Entry<Path, String> file : files.entrySet()) {
      Files.writeString(
          file.getKey(), file.getValue(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
  }
}
