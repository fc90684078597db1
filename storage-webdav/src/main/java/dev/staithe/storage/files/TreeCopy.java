package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * Copies a file or a tree with times and extended attributes, by the kernel where it can (shared
 * extents on file systems that have them). Links and special files are not copied.
 */
final class TreeCopy {
  private TreeCopy() {}

  static void copy(Path source, Path target, boolean deep) throws IOException {
    int depth = deep ? Integer.MAX_VALUE : 0;
    if (!deep && Files.isDirectory(source)) {
      copyOne(source, target);
      return;
    }
    try {
      Files.walkFileTree(
          source, EnumSet.noneOf(FileVisitOption.class), depth, new Copier(source, target));
    } catch (IOException e) {
      throw NoSpaceException.tell(e);
    }
  }

  private static void copyOne(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static final class Copier extends SimpleFileVisitor<Path> {
    private final Path source;
    private final Path target;

    Copier(Path source, Path target) {
      this.source = source;
      this.target = target;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
        throws IOException {
      Path name = dir.getFileName();
      if (!dir.equals(source) && name != null && StoragePath.isReserved(name.toString())) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      copyOne(dir, counterpart(dir));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile()) {
        copyOne(file, counterpart(file));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      return FileVisitResult.CONTINUE;
    }

    private Path counterpart(Path file) {
      return target.resolve(source.relativize(file));
    }
  }
}
