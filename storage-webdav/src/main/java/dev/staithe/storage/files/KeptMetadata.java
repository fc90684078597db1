package dev.staithe.storage.files;

import dev.staithe.storage.files.Confinement.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
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

  /** {@code supported} tells whether the file system keeps any. */
  KeptMetadata(Confinement confinement, boolean supported) {
    this.confinement = confinement;
    this.supported = supported;
  }

  /** The checksums kept for the file, if it has not changed since they were. */
  Map<ChecksumAlgorithm, Checksum> kept(FileEntry file) {
    return supported
        ? FileMetadata.checksums(file.place().real(), file.place().attributes())
        : Map.of();
  }

  /** The checksum kept for the file, if it is kept and the file has not changed since. */
  Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return Optional.ofNullable(kept(file).get(algorithm));
  }

  /**
   * The checksum of the file, kept or computed now by reading it once, and then kept.
   *
   * @throws NoSuchFileException where the file is gone meanwhile
   */
  Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    Optional<Checksum> kept = kept(file, algorithm);
    if (kept.isPresent()) {
      return kept.get();
    }
    if (!(confinement.locate(file.path()) instanceof Location.Inside inside)
        || inside.attributes() == null) {
      throw new NoSuchFileException(file.path().toString());
    }
    Checksum computed;
    try (FileChannel channel = FileChannel.open(inside.real(), StandardOpenOption.READ)) {
      computed = compute(channel, algorithm);
    }
    BasicFileAttributes after = Confinement.attributes(inside.real());
    if (supported && EntityTag.of(after).equals(EntityTag.of(inside.attributes()))) {
      Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
      all.putAll(FileMetadata.checksums(inside.real(), after));
      all.put(algorithm, computed);
      FileMetadata.keepChecksums(inside.real(), after, all.values());
    }
    return computed;
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

  /** The dead properties' text as it was kept, if any is. */
  Optional<String> properties(FileEntry file) {
    return supported ? FileMetadata.properties(file.place().real()) : Optional.empty();
  }

  /** Keeps dead properties; an empty text removes them. */
  Outcome<Boolean> keepProperties(FileEntry file, String text) throws IOException {
    if (!(confinement.locate(file.path()) instanceof Location.Inside inside) || !inside.exists()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    try {
      FileMetadata.keepProperties(inside.real(), text);
      return new Outcome.Done<>(true);
    } catch (IOException | UnsupportedOperationException e) {
      log.debug("properties are not kept: {}", e.toString());
      return new Outcome.Refused<>(
          Refusal.NO_SPACE, "the properties do not fit beside the file on this file system");
    }
  }
}
