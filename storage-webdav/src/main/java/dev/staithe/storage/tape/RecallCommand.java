package dev.staithe.storage.tape;

import dev.staithe.storage.tape.RecallQueue.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the mass storage bring a file to disk, and finds out whether it is there. Runs without the
 * guard of {@link StageRequests}, on the thread of the recall. Thread-safe.
 */
final class RecallCommand {
  private static final Logger log = LoggerFactory.getLogger(RecallCommand.class);

  private final MassStorage storage;
  private final TapeFiles files;
  private final Pins pins;

  RecallCommand(MassStorage storage, TapeFiles files, Pins pins) {
    this.storage = storage;
    this.files = files;
    this.pins = pins;
  }

  /** Recalls a file, until an interrupt ends the command; gives why it is not there after that. */
  @Nullable String run(Subject subject) {
    try {
      pins.awaitLeft(subject);
      return outcome(subject);
    } catch (InterruptedException cancelled) {
      return "cancelled";
    } catch (IOException | RuntimeException e) {
      log.warn("a recall failed: {}", e.toString());
      return "the storage area cannot be read at present";
    }
  }

  private @Nullable String outcome(Subject subject) throws IOException {
    Optional<Path> name = files.name(subject);
    if (name.isEmpty()) {
      return "the storage area is served no more";
    }
    return switch (storage.recall(name.get())) {
      case MassStorage.Answer.Failed failed -> failed.line();
      case MassStorage.Answer.Done done -> {
        if (files.onDisk(subject)) {
          yield null;
        }
        log.warn("the mass storage says that {} is recalled, and it is not on disk", name.get());
        yield "the mass storage said that the file is there, and it is not on disk";
      }
    };
  }

  /** Whether a file came all the same, by a command that was ended when it had brought it. */
  boolean came(Subject subject) {
    boolean unused = Thread.interrupted(); // or looking would be broken off
    try {
      return files.onDisk(subject);
    } catch (IOException | RuntimeException e) {
      return false; // it cannot be told, and the log says why it failed
    }
  }
}
