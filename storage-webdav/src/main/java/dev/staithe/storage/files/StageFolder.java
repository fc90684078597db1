package dev.staithe.storage.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where files are before they have their name and collections after they have lost it: a folder of
 * this process below the area's reserved folder, so on the same file system as the targets.
 *
 * <p>Each process holds a lock on its folder. At start, folders whose lock can be had belong to
 * nobody alive and are removed: what a kill -9 left behind goes with the next start, and instances
 * that share the file system leave each other alone.
 */
final class StageFolder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StageFolder.class);
  private static final String LOCK = "lock";

  private final Path folder;
  private final FileChannel lockChannel;
  private final FileLock lock;

  private StageFolder(Path folder, FileChannel lockChannel, FileLock lock) {
    this.folder = folder;
    this.lockChannel = lockChannel;
    this.lock = lock;
  }

  static StageFolder open(Path reserved) throws IOException {
    Path stages = Files.createDirectories(reserved.resolve("stage"));
    try (Stream<Path> folders = Files.list(stages)) {
      folders.filter(Files::isDirectory).forEach(StageFolder::sweep);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Path folder = Files.createDirectory(stages.resolve(UUID.randomUUID().toString()));
    FileChannel channel =
        FileChannel.open(
            folder.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return new StageFolder(folder, channel, channel.lock());
  }

  private static void sweep(Path folder) {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        long[] left = removeTree(folder);
        log.info("removed {} unfinished files left by an earlier run", Math.max(0, left[0] - 1));
      }
    } catch (OverlappingFileLockException ownedByThisProcess) {
      log.debug("stage folder {} is in use", folder.getFileName());
    } catch (IOException e) {
      log.warn("could not remove an earlier run's unfinished files: {}", e.toString());
    }
  }

  /** A name that nobody has. */
  Path fresh() {
    return folder.resolve(UUID.randomUUID().toString());
  }

  /** Removes a tree that has already been moved out of sight; leaves the rest to a later start. */
  void discard(Path tree) {
    try {
      removeTree(tree);
    } catch (IOException e) {
      log.warn("could not remove {} from the stage folder: {}", tree.getFileName(), e.toString());
    }
  }

  /** Removes a tree without following links; gives the number of files in it. */
  private static long[] removeTree(Path tree) throws IOException {
    long[] files = new long[1];
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            files[0]++;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
              throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
              throw failure;
            }
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  @Override
  public void close() throws IOException {
    try {
      removeTree(folder);
    } finally {
      for (AutoCloseable held : List.of(lock, lockChannel)) {
        try {
          held.close();
        } catch (Exception e) {
          log.debug("closing the stage lock: {}", e.toString());
        }
      }
    }
  }
}
