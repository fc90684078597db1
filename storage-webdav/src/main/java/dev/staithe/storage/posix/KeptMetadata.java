package dev.staithe.storage.posix;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.FileChangedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Locality;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.linux.HeldFile;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.posix.Confinement.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept beside the files of an area, in their extended attributes: checksums and dead
 * properties. Safe for use by many threads.
 */
final class KeptMetadata {
  private static final Logger log = LoggerFactory.getLogger(KeptMetadata.class);

  private final Confinement confinement;
  private final boolean supported;
  private final boolean local;
  private final Residence residence;
  private final boolean stormChecksum;
  private final RememberedChecksums remembered = new RememberedChecksums(System::nanoTime);

  /**
   * @param supported whether the file system keeps any
   * @param local whether it is one of this machine, which knows of every change at once
   */
  KeptMetadata(
      Confinement confinement, boolean supported, boolean local, PosixStore.Settings settings) {
    this.confinement = confinement;
    this.supported = supported;
    this.local = local;
    this.residence = settings.residence();
    this.stormChecksum = settings.stormChecksum();
  }

  /** What a look at a file's place gives. */
  @FunctionalInterface
  private interface Look<T> {
    T at(Path path) throws IOException;
  }

  /** Looks at the place of a file, which is found again where it is held no more. */
  private <T> Optional<T> look(FileEntry file, Look<T> look) throws IOException {
    Optional<Path> held = PosixPlace.of(file).path();
    if (held.isPresent()) {
      return Optional.of(look.at(held.get()));
    }
    try (Location location = confinement.locate(file.path())) {
      return location instanceof Location.Inside inside
          ? Optional.of(look.at(inside.path()))
          : Optional.empty();
    }
  }

  /** The checksums kept for the file, if it has not changed since they were. */
  Map<ChecksumAlgorithm, Checksum> kept(FileEntry file) {
    if (!supported) {
      return Map.of();
    }
    try {
      return look(file, path -> FileMetadata.checksums(path, PosixPlace.of(file).attributes()))
          .orElse(Map.of());
    } catch (IOException gone) {
      return Map.of();
    }
  }

  /** Those of a file that is open, which has its name no longer perhaps. */
  Map<ChecksumAlgorithm, Checksum> kept(HeldFile file) {
    if (!supported) {
      return Map.of();
    }
    return local ? remembered.of(file) : FileMetadata.checksums(file);
  }

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return Optional.ofNullable(kept(file).get(algorithm));
  }

  /**
   * The checksum of the file, kept or computed now by reading it once, and then kept.
   *
   * @throws NoSuchFileException where the file is gone meanwhile
   * @throws FileChangedException where it is another than {@code file} tells of
   */
  Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    Optional<Checksum> kept = kept(file, algorithm);
    if (kept.isPresent()) {
      return kept.get();
    }
    try (Location location = confinement.locate(file.path())) {
      if (!(location instanceof Location.Inside inside) || inside.attributes() == null) {
        throw new NoSuchFileException(file.path().toString());
      }
      Checksum computed;
      try (FileChannel channel = TapeBlocks.open(residence, inside.path(), inside.attributes())) {
        // What is open has the name since before this look.
        unchanged(file, inside.again());
        computed = compute(channel, algorithm);
      }
      BasicFileAttributes after = unchanged(file, inside.again());
      if (supported) {
        Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
        all.putAll(FileMetadata.checksums(inside.path(), after));
        all.put(algorithm, computed);
        FileMetadata.keepChecksums(inside.path(), after, all.values(), stormChecksum);
      }
      return computed;
    }
  }

  /** What is at its place, if that is the very version of the file. */
  private static BasicFileAttributes unchanged(FileEntry file, Location.Inside now)
      throws FileChangedException {
    BasicFileAttributes attributes = now.attributes();
    if (attributes == null || !EntityTag.of(attributes).equals(file.etag())) {
      throw new FileChangedException();
    }
    return attributes;
  }

  /** Where the file's content is, as far as the file itself tells. */
  Locality locality(FileEntry file) throws IOException {
    return look(
            file,
            path -> {
              boolean onTape = LinuxFiles.attribute(path, TapeBlocks.ON_TAPE, 256) != null;
              return TapeBlocks.isOffline(residence, path, PosixPlace.of(file).attributes())
                  ? onTape ? Locality.TAPE : Locality.UNAVAILABLE
                  : onTape ? Locality.DISK_AND_TAPE : Locality.DISK;
            })
        .orElse(Locality.NONE);
  }

  static Checksum compute(FileChannel channel, ChecksumAlgorithm algorithm) throws IOException {
    RunningChecksum sum = RunningChecksum.of(algorithm);
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    long at = 0;
    int n;
    while ((n = channel.read(buffer, at)) > 0) {
      sum.update(buffer.flip());
      at += n;
      buffer.clear();
    }
    return sum.finish();
  }

  /** When the file's bytes were last compared with its checksums, if that is known. */
  Optional<Instant> compared(FileEntry file) {
    try {
      return look(file, FileMetadata::compared).flatMap(when -> when);
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** Keeps when that was; where it cannot be kept the file is compared again. */
  void keepCompared(FileEntry file, Instant when) {
    try {
      look(file, path -> FileMetadata.keepCompared(path, when));
    } catch (IOException | UnsupportedOperationException e) {
      log.debug("when {} was compared is not kept: {}", file.path(), e.toString());
    }
  }

  /** The dead properties' text as it was kept, if any is. */
  Optional<String> properties(FileEntry file) throws IOException {
    if (!supported) {
      return Optional.empty();
    }
    String known = PosixPlace.of(file).properties();
    if (known != null) {
      return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }
    try {
      return look(file, FileMetadata::properties).flatMap(text -> text);
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (AccessDeniedException denied) {
      throw new AccessRefusedException(Refusal.ACCESS_DENIED.text(), denied);
    }
  }

  /** Keeps dead properties; an empty text removes them. */
  Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    try (Location location = confinement.locate(file.path())) {
      if (!(location instanceof Location.Inside inside) || !inside.exists()) {
        return Outcome.Refused.of(Refusal.NOT_FOUND);
      }
      FileMetadata.keepProperties(inside.path(), text);
      return new Outcome.Done<>(true);
    } catch (NoSuchFileException gone) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    } catch (NoSpaceException | UnsupportedOperationException e) {
      return noRoom(e);
    } catch (FileSystemException e) {
      // E2BIG and EOPNOTSUPP, which only their text tells from a failing disk.
      String reason = String.valueOf(e.getReason());
      return reason.contains("too long") || reason.contains("not supported")
          ? noRoom(e)
          : Confinement.refusal(e);
    }
  }

  private static Outcome<Boolean> noRoom(Exception e) {
    log.debug("properties are not kept: {}", e.toString());
    return new Outcome.Refused<>(
        Refusal.NO_SPACE, "the properties do not fit beside the file on this file system");
  }
}
