package dev.staithe.storage.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The members of a collection in the order of the file system, read as they are asked for, so that
 * a collection of any size takes the same memory. Not for use by several threads.
 */
public final class Listing implements AutoCloseable {
  private final FileStore store;
  private final StoragePath collection;
  private final Folder folder;
  private final DirectoryStream<Path> stream;
  private final Iterator<Path> names;

  /** Takes the folder over. */
  Listing(FileStore store, StoragePath collection, Folder folder) throws IOException {
    this.store = store;
    this.collection = collection;
    this.folder = folder;
    this.stream = Files.newDirectoryStream(folder.itself());
    this.names = stream.iterator();
  }

  /**
   * The next member, or null after the last. Passed over are the storage element's own folder,
   * names that no request can name, links that leave the area, and what is neither file nor folder.
   */
  public @Nullable FileEntry next() throws IOException {
    try {
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

  @Override
  public void close() throws IOException {
    folder.close();
    stream.close();
  }
}
