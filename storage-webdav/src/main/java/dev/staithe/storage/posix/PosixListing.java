package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.FileStatus;
import dev.staithe.storage.linux.FolderReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The members of a folder in the order of the file system. One that cannot be looked at is a
 * failure: who mirrors a folder removes elsewhere what its listing leaves out.
 *
 * <p>Where each look at a file is a question to another machine, as in shared areas, members are
 * looked at side by side, so many that the answers are waited for together.
 */
final class PosixListing implements Listing {
  /** Members that are known ahead of the one that is asked for. */
  private static final int AHEAD = 256;

  /** Of these, as many as one thread looks at. */
  private static final int AT_A_TIME = 8;

  /** Looks at members of collections of a shared area at once, all requests together. */
  private static final int SIDE_BY_SIDE = 16;

  private final Confinement confinement;
  private final KeptMetadata metadata;
  private final StoragePath collection;
  private final Folder folder;
  private final @Nullable FolderReader reader;
  private final @Nullable DirectoryStream<Path> stream;
  private final Iterator<Path> names;
  private final boolean withProperties;
  private final @Nullable Executor readers;
  private final Queue<FileEntry> ready = new ArrayDeque<>();

  /**
   * Takes the folder over.
   *
   * @param withProperties whether dead properties are asked for
   * @param readers who look at members side by side, where each look takes long; or null
   */
  PosixListing(
      Confinement confinement,
      KeptMetadata metadata,
      StoragePath collection,
      Folder folder,
      boolean withProperties,
      @Nullable Executor readers)
      throws IOException {
    this.confinement = confinement;
    this.metadata = metadata;
    this.collection = collection;
    this.folder = folder;
    this.withProperties = withProperties;
    this.readers = readers;
    try {
      this.reader = readers == null ? folder.reader(FileMetadata.PROPERTIES) : null;
      this.stream = reader == null ? Files.newDirectoryStream(folder.itself()) : null;
    } catch (IOException e) {
      folder.close();
      throw e;
    }
    this.names = stream == null ? Collections.emptyIterator() : stream.iterator();
  }

  /** Threads of the system: each waits in the kernel for another machine. */
  static ThreadPoolExecutor readers() {
    ThreadPoolExecutor readers =
        new ThreadPoolExecutor(
            SIDE_BY_SIDE,
            SIDE_BY_SIDE,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("list-", 0).daemon().factory());
    readers.allowCoreThreadTimeOut(true);
    return readers;
  }

  @Override
  public @Nullable FileEntry next() throws IOException {
    try {
      if (reader != null) {
        return inOnePass(reader);
      }
      if (readers != null) {
        while (ready.isEmpty() && names.hasNext()) {
          readAhead(readers);
        }
        return ready.poll();
      }
      while (names.hasNext()) {
        Optional<FileEntry> member = member(names.next().getFileName());
        if (member.isPresent()) {
          return member.get();
        }
      }
      return null;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private @Nullable FileEntry inOnePass(FolderReader members) throws IOException {
    for (String name = members.next(); name != null; name = members.next()) {
      Optional<FileEntry> member = member(members, name);
      if (member.isPresent()) {
        return member.get();
      }
    }
    return null;
  }

  private Optional<FileEntry> member(FolderReader members, String name) throws IOException {
    try {
      StoragePath path = collection.child(name);
      FileStatus status = members.status();
      if (status.isSymbolicLink()) {
        return member(Path.of(name));
      }
      Optional<FileEntry> found =
          PosixPlace.entry(
              path, new Confinement.Location.Inside(folder, Path.of(name), status, false));
      String properties = withProperties && found.isPresent() ? members.attribute() : null;
      return properties == null
          ? found
          : found.map(file -> PosixPlace.withProperties(file, properties));
    } catch (IllegalArgumentException | NoSuchFileException unreachableNameOrGone) {
      return Optional.empty();
    } catch (AccessDeniedException denied) {
      folder.searched();
      return Optional.empty();
    }
  }

  /** The entry of a listing; its place is held as long as the folder is. */
  private Optional<FileEntry> member(Path name) throws IOException {
    return member(confinement, collection, folder, name);
  }

  static Optional<FileEntry> member(
      Confinement confinement, StoragePath collection, Folder folder, Path name)
      throws IOException {
    StoragePath path;
    try {
      path = collection.child(name.toString());
      if (!name.equals(name.getFileSystem().getPath(path.name()))) {
        // Bytes that are no UTF-8: the text that stands for them leads nowhere.
        return Optional.empty();
      }
    } catch (IllegalArgumentException unreachableName) {
      return Optional.empty();
    }
    try {
      return confinement.member(folder, name).flatMap(inside -> PosixPlace.entry(path, inside));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (AccessDeniedException denied) {
      folder.searched();
      return Optional.empty();
    }
  }

  private void readAhead(Executor side) throws IOException {
    List<CompletableFuture<List<FileEntry>>> parts = new ArrayList<>();
    for (int n = 0; n < AHEAD && names.hasNext(); n += AT_A_TIME) {
      List<Path> some = new ArrayList<>(AT_A_TIME);
      while (some.size() < AT_A_TIME && names.hasNext()) {
        some.add(names.next().getFileName());
      }
      parts.add(CompletableFuture.supplyAsync(() -> read(some), side));
    }
    // All have ended before anybody can close the folder, however they end.
    CompletableFuture<Void> all = CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
    try {
      all.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw e;
    }
    parts.forEach(part -> ready.addAll(part.join()));
  }

  private List<FileEntry> read(List<Path> some) {
    List<FileEntry> members = new ArrayList<>(some.size());
    for (Path name : some) {
      try {
        member(name).map(this::withProperties).ifPresent(members::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return members;
  }

  /** The entry that knows its dead properties, if they can be read. */
  private FileEntry withProperties(FileEntry file) {
    try {
      return PosixPlace.withProperties(file, metadata.properties(file).orElse(""));
    } catch (IOException e) {
      return file;
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
    if (reader != null) {
      reader.close();
    }
    if (stream != null) {
      stream.close();
    }
  }
}
