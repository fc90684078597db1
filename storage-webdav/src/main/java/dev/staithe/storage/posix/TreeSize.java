package dev.staithe.storage.posix;

import dev.staithe.storage.state.AreaUsage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The sizes of all files below a folder, or of one file; links are not followed. */
final class TreeSize extends SimpleFileVisitor<Path> {
  private final Path leftOut;
  private long bytes;
  private long files;
  private boolean whole = true;

  private TreeSize(Path leftOut) {
    this.leftOut = leftOut;
  }

  /**
   * Counts; what vanishes meanwhile is left out.
   *
   * @param leftOut a folder that does not count
   */
  static TreeSize of(Path root, Path leftOut) throws IOException {
    TreeSize size = new TreeSize(leftOut);
    Files.walkFileTree(root, size);
    return size;
  }

  AreaUsage.Count count() {
    return new AreaUsage.Count(bytes, files);
  }

  /**
   * Whether there is no more: collections that MOVE has put into one another may be deeper than any
   * path, and a disk may fail. What this process may not look into is another's.
   */
  boolean isWhole() {
    return whole;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes about) {
    return folder.equals(leftOut) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
    if (about.isRegularFile()) {
      bytes += about.size();
      files++;
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) {
    whole &= failure instanceof NoSuchFileException || failure instanceof AccessDeniedException;
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(
      Path folder, @org.jspecify.annotations.Nullable IOException failure) {
    whole &= failure == null || failure instanceof NoSuchFileException;
    return FileVisitResult.CONTINUE;
  }
}
