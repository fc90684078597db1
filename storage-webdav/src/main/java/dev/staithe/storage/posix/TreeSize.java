package dev.staithe.storage.posix;

import dev.staithe.storage.state.AreaUsage;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** The sizes of all files below a folder, or of one file; links are not followed. */
final class TreeSize extends SimpleFileVisitor<Path> {
  private final Path leftOut;
  private long bytes;
  private long files;

  private TreeSize(Path leftOut) {
    this.leftOut = leftOut;
  }

  /**
   * Counts; what vanishes meanwhile is left out.
   *
   * @param leftOut a folder that does not count
   */
  static AreaUsage.Count of(Path root, Path leftOut) throws IOException {
    TreeSize size = new TreeSize(leftOut);
    Files.walkFileTree(root, size);
    return new AreaUsage.Count(size.bytes, size.files);
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
  public FileVisitResult visitFileFailed(Path file, IOException vanished) {
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(
      Path folder, @org.jspecify.annotations.Nullable IOException vanished) {
    return FileVisitResult.CONTINUE;
  }
}
