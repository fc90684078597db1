package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.posix.Confinement.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How uploads begin: where they may go is judged, and their room taken, before the first byte. */
final class Staging {
  private static final Logger log = LoggerFactory.getLogger(Staging.class);

  /**
   * Uploads from this length on get their blocks before their bytes: writing 1 GiB into ext4 then
   * takes the kernel 0.11 CPU seconds in place of 0.18, and a full disk is found at once.
   */
  private static final long WORTH_ALLOCATING = 1 << 20;

  private final Confinement confinement;
  private final StageFolder stage;
  private final Space space;
  private final Publication publication;
  private final boolean createParents;

  Staging(
      Confinement confinement,
      StageFolder stage,
      Space space,
      Publication publication,
      boolean createParents) {
    this.confinement = confinement;
    this.stage = stage;
    this.space = space;
    this.publication = publication;
    this.createParents = createParents;
  }

  /** Whether a collection, and no file, is above what is missing: said before the bytes come. */
  private boolean parentsCanBeMade(StoragePath target) throws IOException {
    StoragePath path = target;
    while (!path.isRoot()) {
      path = path.parent();
      try (Location above = confinement.locate(path)) {
        if (above instanceof Location.Inside inside && inside.exists()) {
          return inside.isCollection();
        }
        if (above instanceof Location.Nowhere nowhere && nowhere.why() != Refusal.PARENT_MISSING) {
          return false;
        }
      }
    }
    return false;
  }

  /** Why no file can be put there, as far as that is known before its bytes come. */
  Optional<Refusal> obstacle(StoragePath target) throws IOException {
    try (Location location = confinement.locate(target)) {
      return switch (location) {
        case Location.Nowhere nowhere ->
            nowhere.why() == Refusal.PARENT_MISSING && createParents && parentsCanBeMade(target)
                ? Optional.empty()
                : Optional.of(nowhere.why());
        case Location.Inside inside ->
            inside.isCollection() ? Optional.of(Refusal.IS_COLLECTION) : Optional.empty();
      };
    }
  }

  /** See {@link PosixStore#stage}. */
  Outcome<Upload> begin(
      @Nullable String caller, StoragePath target, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    Optional<Refusal> obstacle = obstacle(target);
    if (obstacle.isPresent()) {
      return Outcome.Refused.of(obstacle.get());
    }
    Space.Reservation reservation;
    switch (space.reserve(caller, Math.max(0, length))) {
      case Outcome.Refused<Space.Reservation> refused -> {
        return refused.as();
      }
      case Outcome.Done<Space.Reservation> done -> reservation = done.value();
    }
    try {
      Path staged = stage.fresh();
      FileChannel channel =
          FileChannel.open(
              staged,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (length >= WORTH_ALLOCATING && LinuxFiles.AVAILABLE) {
        switch (LinuxFiles.allocate(staged, length)) {
          // From now on the file system counts these bytes.
          case SET_ASIDE -> reservation.allocated(length);
          case FULL -> {
            PosixUpload.end(staged, channel, false);
            reservation.close();
            return Outcome.Refused.of(Refusal.NO_SPACE);
          }
          case UNKNOWN -> log.debug("this file system sets no room aside");
        }
      }
      return new Outcome.Done<>(
          new PosixUpload(publication, target, staged, channel, reservation, algorithms));
    } catch (IOException e) {
      reservation.close();
      if (e instanceof FileSystemException f) {
        return Confinement.refusal(f);
      }
      throw NoSpaceException.tell(e);
    }
  }
}
