package dev.staithe.storage.posix;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The members of a folder in the order of the file system.
 *
 * <p>Where each look at a file is a question to another machine, as in shared areas, members are
 * looked at side by side, so many that the answers are waited for together.
 */
final class PosixListing implements Listing {
  /** Members that are known ahead of the one that is asked for. */
  private static final int AHEAD = 256;

  /** Of these, as many as one thread looks at. */
  private static final int AT_A_TIME = 8;

  private final PosixStore store;
  private final StoragePath collection;
  private final Folder folder;
  private final DirectoryStream<Path> stream;
  private final Iterator<Path> names;
  private final @Nullable Executor readers;
  private final Queue<FileEntry> ready = new ArrayDeque<>();

  /**
   * Takes the folder over.
   *
   * @param readers who look at members and their dead properties side by side, or null
   */
  PosixListing(PosixStore store, StoragePath collection, Folder folder, @Nullable Executor readers)
      throws IOException {
    this.store = store;
    this.collection = collection;
    this.folder = folder;
    this.stream = Files.newDirectoryStream(folder.itself());
    this.names = stream.iterator();
    this.readers = readers;
  }

  @Override
  public @Nullable FileEntry next() throws IOException {
    try {
      if (readers != null) {
        while (ready.isEmpty() && names.hasNext()) {
          readAhead(readers);
        }
        return ready.poll();
      }
      while (names.hasNext()) {
        Optional<FileEntry> member = store.member(collection, folder, names.next().getFileName());
        if (member.isPresent()) {
          return member.get();
        }
      }
      return null;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
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
        store.member(collection, folder, name).map(store::withProperties).ifPresent(members::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return members;
  }

  @Override
  public void close() throws IOException {
    folder.close();
    stream.close();
  }
}
