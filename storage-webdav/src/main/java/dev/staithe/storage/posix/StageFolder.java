package dev.staithe.storage.posix;

import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where files are before they have their name and collections after they have lost it: a folder of
 * this process below the area's reserved folder, so on the same file system as the targets.
 *
 * <p>What had a name once and shall not go is not here but in a folder {@code replaced} below it:
 * no sweep removes it, it is put back. That is where collections are between two renames, on file
 * systems that cannot exchange two names in one step.
 *
 * <p>Each process holds a lock on its folder. At start, folders whose lock can be had belong to
 * nobody alive and are removed: what a kill -9 left behind goes with the next start, and instances
 * that share the file system leave each other alone.
 */
final class StageFolder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StageFolder.class);
  private static final String LOCK = "lock";
  private static final String REPLACED = "replaced";
  private static final String NAME = "name";
  private static final String TREE = "tree";
  private static final String EXCHANGE = "exchange";

  /** Of making a folder, while others start at the same moment. */
  private static final int ATTEMPTS = 10;

  /** Beside the lock of one that takes turns with others. */
  private static final String SHARED = "shared";

  /**
   * The folders of this process, each of a name that no other has: to close any descriptor of their
   * lock files would give the locks back ({@code fcntl(2)}).
   */
  private static final Set<String> OURS = ConcurrentHashMap.newKeySet();

  /** What is done to the names of an area for a process that could not do it any more. */
  @FunctionalInterface
  interface Restore {
    /** Gives a tree back its name; false where that is free no more. */
    boolean at(StoragePath name, Path tree) throws IOException;

    /** Has two trees change names again where each, by its inode, has that of the other. */
    default void changeBack(Exchange exchange) throws IOException {
      // Nothing to do where no trees change names.
    }
  }

  /**
   * Two trees that change names.
   *
   * @param from the one name
   * @param moved the inode of what had it
   * @param to the other name
   * @param replaced the inode of what had that
   */
  record Exchange(StoragePath from, String moved, StoragePath to, String replaced) {
    private List<String> lines() {
      return List.of(from.href(), moved, to.href(), replaced);
    }

    /** Reads them; null where a power cut has left something else. */
    private static @Nullable Exchange of(List<String> lines) {
      return lines.size() == 4
              && StoragePath.parse(lines.get(0)) instanceof StoragePath.Parsed.Valid one
              && StoragePath.parse(lines.get(2)) instanceof StoragePath.Parsed.Valid other
          ? new Exchange(one.path(), lines.get(1), other.path(), lines.get(3))
          : null;
    }
  }

  private final Path folder;
  private final FileChannel lockChannel;
  private final FileLock lock;

  private final boolean sharedUnawares;

  private StageFolder(Path folder, boolean sharedUnawares, FileChannel lockChannel, FileLock lock) {
    this.folder = folder;
    this.sharedUnawares = sharedUnawares;
    this.lockChannel = lockChannel;
    this.lock = lock;
  }

  /**
   * Makes one, puts back what others that are gone have moved aside, and removes the rest.
   *
   * @param shared whether this process takes turns with others that do so too
   */
  static StageFolder open(Path reserved, Restore restore, boolean shared) throws IOException {
    Path stages = Files.createDirectories(reserved.resolve("stage"));
    boolean unawares;
    try (Stream<Path> folders = Files.list(stages)) {
      List<Path> alive =
          folders
              .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
              .filter(folder -> !sweep(folder, restore))
              .toList();
      unawares = !alive.stream().allMatch(folder -> shared && Files.exists(folder.resolve(SHARED)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      Path folder = Files.createDirectory(stages.resolve(UUID.randomUUID().toString()));
      StageFolder own = take(folder, unawares, shared);
      if (own != null) {
        return own;
      }
    }
    throw new IOException("others remove the folders of this process as it makes them");
  }

  /**
   * Takes a new folder.
   *
   * @return null where another process, which starts at this moment too, has found it before it was
   *     locked, and removes it
   */
  static @Nullable StageFolder take(Path folder, boolean unawares, boolean shared)
      throws IOException {
    String name = folder.getFileName().toString();
    OURS.add(name);
    boolean taken = false;
    FileChannel channel;
    try {
      if (shared) {
        Files.createFile(folder.resolve(SHARED)); // before others can see that it is locked
      }
      channel =
          FileChannel.open(
              folder.resolve(LOCK),
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              // Who may read it may hold it when this process has ended, and so what is left here.
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (NoSuchFileException | FileAlreadyExistsException swept) {
      OURS.remove(name);
      return null;
    }
    try {
      FileLock lock = channel.lock();
      taken = Files.exists(folder.resolve(LOCK));
      return taken ? new StageFolder(folder, unawares, channel, lock) : null;
    } finally {
      if (!taken) {
        OURS.remove(name);
        channel.close();
      }
    }
  }

  /** Gives whether the folder is nobody's any more. */
  private static boolean sweep(Path folder, Restore restore) {
    if (OURS.contains(folder.getFileName().toString())) {
      return false;
    }
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      putBack(folder, restore);
      boolean aware = Files.exists(folder.resolve(SHARED));
      long left = clear(folder);
      log.info(
          "removed {} unfinished files left by an earlier run",
          Math.max(0, left - (aware ? 2 : 1)));
    } catch (OverlappingFileLockException ownedByThisProcess) {
      return false;
    } catch (IOException e) {
      log.warn("could not remove an earlier run's unfinished files: {}", e.toString());
    }
    return true;
  }

  /** Whether another was at work on the same area when this was made that takes no turns. */
  boolean sharedUnawares() {
    return sharedUnawares;
  }

  private static void putBack(Path folder, Restore restore) throws IOException {
    if (!Files.isDirectory(folder.resolve(REPLACED))) {
      return;
    }
    try (Stream<Path> all = Files.list(folder.resolve(REPLACED))) {
      for (Path one : all.toList()) {
        if (Files.exists(one.resolve(EXCHANGE))) {
          Exchange exchange = Exchange.of(Files.readAllLines(one.resolve(EXCHANGE)));
          if (exchange != null) {
            restore.changeBack(exchange);
          }
          removeTree(one);
        } else if (!Files.exists(one.resolve(TREE), LinkOption.NOFOLLOW_LINKS)) {
          removeTree(one);
        } else if (StoragePath.parse(Files.readString(one.resolve(NAME), StandardCharsets.UTF_8))
            instanceof StoragePath.Parsed.Valid valid) {
          if (restore.at(valid.path(), one.resolve(TREE))) {
            removeTree(one);
            log.warn("{} was being replaced when an earlier run ended; put back", valid.path());
          } else {
            log.warn(
                "{} was being replaced when an earlier run ended; its place is taken, so it stays"
                    + " in {}",
                valid.path(),
                one);
          }
        }
      }
    }
  }

  /** Something moved out of its place, of which nothing is lost until it is given up. */
  final class Replaced {
    private final StoragePath name;
    private final Path folder;
    private final Path place;

    private Replaced(StoragePath name, Path folder, Path place) {
      this.name = name;
      this.folder = folder;
      this.place = place;
    }

    /** Puts it back where nothing is there; else it stays here, and a later start tries again. */
    void putBack() {
      try {
        Publication.moveWhereNothingIs(folder.resolve(TREE), place);
        StageFolder.this.discard(folder);
      } catch (IOException taken) {
        log.warn(
            "{} was being replaced, and its place was taken meanwhile; what it was stays in {}",
            name,
            StageFolder.this.folder.relativize(folder));
      }
    }

    /**
     * Removes it. What cannot be removed at once is no failure, as the other tree has the name: NFS
     * and FUSE keep a file that was just closed for a moment under another name, and so its folder.
     */
    void discard() throws IOException {
      Path gone = fresh();
      Files.move(folder.resolve(TREE), gone, StandardCopyOption.ATOMIC_MOVE);
      StageFolder.this.discard(gone);
      StageFolder.this.discard(folder);
    }
  }

  /**
   * Remembers that two trees are about to change names, the one that is replaced to lose the other
   * then: where this process ends in between, the next start has them change back.
   *
   * @return what remembers it, to be discarded when it is over
   */
  Path remember(Exchange exchange, Sync sync) throws IOException {
    Path record = folder.resolve(REPLACED).resolve(UUID.randomUUID().toString());
    Files.createDirectories(record);
    try {
      Files.write(record.resolve(EXCHANGE), exchange.lines());
      sync.data(record.resolve(EXCHANGE));
      sync.names(record);
    } catch (IOException e) {
      discard(record);
      throw e;
    }
    return record;
  }

  /** Moves what is at {@code place}, of that name, aside. */
  Replaced replace(StoragePath name, Path place, Sync sync) throws IOException {
    Path aside = folder.resolve(REPLACED).resolve(UUID.randomUUID().toString());
    Files.createDirectories(aside);
    Files.writeString(aside.resolve(NAME), name.href(), StandardCharsets.UTF_8);
    sync.data(aside.resolve(NAME));
    sync.names(aside);
    Files.move(place, aside.resolve(TREE), StandardCopyOption.ATOMIC_MOVE);
    return new Replaced(name, aside, place);
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

  /** Removes a stage folder but for what must be put back; gives the number of files removed. */
  private static long clear(Path folder) throws IOException {
    long files = 0;
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.filter(p -> !p.endsWith(REPLACED)).toList()) {
        files += removeTree(each);
      }
    }
    try {
      Files.deleteIfExists(folder.resolve(REPLACED));
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException somethingIsKept) {
      log.debug("stage folder {} stays for what it keeps", folder.getFileName());
    }
    return files;
  }

  /**
   * Removes a tree, following no link that is in it or comes into it; gives the number of files.
   */
  private static long removeTree(Path tree) throws IOException {
    if (!Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      return Files.deleteIfExists(tree) ? 1 : 0;
    }
    long files = 0;
    boolean raised;
    do {
      raised = false;
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(tree)) {
        if (stream instanceof SecureDirectoryStream<Path> root) {
          Removal removal = new Removal(root);
          removal.members(root, 1);
          files += removal.files;
          raised = removal.raised;
        } else {
          for (Path member : stream) {
            files += removeTree(member);
          }
        }
      }
    } while (raised);
    Files.deleteIfExists(tree);
    return files;
  }

  /**
   * One pass through a tree, which removes what is not too deep, and brings the rest up: each
   * folder that is open takes descriptors and stack, and a tree may be deeper than any path.
   */
  private static final class Removal {
    private static final int DEEPEST = 100;

    private final SecureDirectoryStream<Path> root;
    private long files;

    /** Whether there is something left, in the root now. */
    private boolean raised;

    private Removal(SecureDirectoryStream<Path> root) {
      this.root = root;
    }

    private void members(SecureDirectoryStream<Path> folder, int depth) throws IOException {
      for (Path member : folder) {
        Path name = member.getFileName();
        try {
          BasicFileAttributeView view =
              folder.getFileAttributeView(
                  name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
          if (!view.readAttributes().isDirectory()) {
            folder.deleteFile(name);
            files++;
          } else if (depth == DEEPEST) {
            folder.move(name, root, Path.of(UUID.randomUUID().toString()));
            raised = true;
          } else {
            try (SecureDirectoryStream<Path> below =
                folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
              members(below, depth + 1);
            }
            folder.deleteDirectory(name);
          }
        } catch (NoSuchFileException gone) {
          log.debug("{} went meanwhile", name);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      OURS.remove(folder.getFileName().toString());
      clear(folder);
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
