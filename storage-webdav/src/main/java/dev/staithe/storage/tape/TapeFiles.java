package dev.staithe.storage.tape;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files by the paths that the API names them by: those of the namespace, not percent-encoded. Each
 * path is judged by itself, and before anything is revealed of what is there. Stateless.
 */
record TapeFiles(Areas areas) {
  /** What a path leads to. */
  sealed interface Found {
    /** A file. */
    record There(ServedArea area, FileEntry file, Locality locality) implements Found {
      FileStore store() {
        return area.area().store();
      }

      boolean mayBeOnTape() {
        return store().residence() == Residence.TAPE;
      }

      RecallQueue.Subject subject() throws IOException {
        return new RecallQueue.Subject(area.area().name(), store().place(file.path(), true));
      }
    }

    /** Nothing, or nothing for the caller; {@code line} is safe to show. */
    record Refused(String line) implements Found {}
  }

  /** Why the caller may not at that path; empty where it may, be something there or not. */
  Optional<String> refusal(Asked asked, String path, Right right) {
    Optional<Areas.Place> place;
    try {
      place = areas.locate(StoragePath.of(path));
    } catch (IllegalArgumentException malformed) {
      return Optional.of("this is no path of a file");
    }
    if (place.isEmpty()) {
      return Optional.of("the path is in no storage area");
    }
    return place.get().area().rule().decide(asked, place.get().path(), right)
            instanceof Admission.Refused refused
        ? Optional.of(refused.reason())
        : Optional.empty();
  }

  /** The file at that path, of which the caller was judged before. */
  Found find(String path) throws IOException {
    Optional<Areas.Place> place;
    try {
      place = areas.locate(StoragePath.of(path));
    } catch (IllegalArgumentException malformed) {
      return new Found.Refused("this is no path of a file");
    }
    if (place.isEmpty()) {
      return new Found.Refused("the path is in no storage area");
    }
    FileStore store = place.get().area().area().store();
    Optional<FileEntry> file;
    try {
      file = store.find(place.get().path());
    } catch (AccessRefusedException denied) {
      return new Found.Refused(String.valueOf(denied.getMessage()));
    }
    // What is asked for as a collection was judged as one.
    if (file.isEmpty() || place.get().path().collectionForm() && !file.get().collection()) {
      return new Found.Refused("there is no such file");
    }
    if (file.get().collection()) {
      return new Found.Refused("this is a collection, and only files are on tape");
    }
    return new Found.There(place.get().area(), file.get(), store.locality(file.get()));
  }

  private Optional<FileStore> store(RecallQueue.Subject subject) {
    return areas.all().stream()
        .filter(served -> served.area().name().equals(subject.area()))
        .findFirst()
        .map(served -> served.area().store());
  }

  /** The file's name for the mass storage. */
  Optional<Path> name(RecallQueue.Subject subject) throws IOException {
    Optional<FileStore> store = store(subject);
    return store.isEmpty() ? Optional.empty() : store.get().name(subject.place());
  }

  /** Whether the file's content is on disk, looked at now. */
  boolean onDisk(RecallQueue.Subject subject) throws IOException {
    Optional<FileStore> store = store(subject);
    Optional<FileEntry> file =
        store.isEmpty() ? Optional.empty() : store.get().find(subject.place());
    return file.isPresent() && store.get().locality(file.get()).onDisk();
  }
}
