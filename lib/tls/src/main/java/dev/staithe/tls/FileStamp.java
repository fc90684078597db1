package dev.staithe.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What tells a file, or a folder of files, from its newer version: names, modification times, sizes
 * and inodes, links followed, also those of the folders in a folder. Two equal stamps mean that
 * nothing needs to be read again.
 */
record FileStamp(List<String> facts) {
  static FileStamp of(List<Path> paths) {
    var facts = new ArrayList<String>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        addFolder(path, true, facts);
      } else {
        facts.add(describe(path));
      }
    }
    return new FileStamp(List.copyOf(facts));
  }

  private static void addFolder(Path folder, boolean andBelow, List<String> facts) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.sorted().toList()) {
        facts.add(describe(each));
        // A vomsdir has a folder for each organization, and no more below.
        if (andBelow && Files.isDirectory(each)) {
          addFolder(each, false, facts);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      facts.add(folder + " cannot be listed");
    }
  }

  private static String describe(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return file
          + " "
          + attributes.lastModifiedTime().toInstant()
          + " "
          + attributes.size()
          + " "
          + attributes.fileKey();
    } catch (IOException e) {
      return file + " cannot be read";
    }
  }
}
