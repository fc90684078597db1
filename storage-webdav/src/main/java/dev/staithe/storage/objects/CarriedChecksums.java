package dev.staithe.storage.objects;

import dev.staithe.pki.SavedDigest;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checksums of bytes that come by several requests. Between two of them they are a line of text,
 * for what has come cannot be read again before all of it has. For one thread.
 */
final class CarriedChecksums {
  private int adler = 1; // of no bytes (RFC 1950 section 8.2)
  private final Map<ChecksumAlgorithm, SavedDigest> digests =
      new EnumMap<>(ChecksumAlgorithm.class);

  /** Begins these, and Adler-32, which costs next to nothing. */
  static CarriedChecksums begin(Set<ChecksumAlgorithm> algorithms) {
    CarriedChecksums sums = new CarriedChecksums();
    for (ChecksumAlgorithm each : algorithms) {
      name(each).ifPresent(name -> sums.digests.put(each, SavedDigest.begin(name)));
    }
    return sums;
  }

  /**
   * Goes on where a text was taken.
   *
   * @throws IllegalArgumentException where it is none of {@link #text}
   */
  static CarriedChecksums of(String text) {
    CarriedChecksums sums = new CarriedChecksums();
    for (String each : text.split(" ")) {
      String[] pair = each.split(":", 2);
      ChecksumAlgorithm algorithm = ChecksumAlgorithm.byName(pair[0]).orElseThrow(() -> broken());
      Optional<String> name = name(algorithm);
      if (name.isEmpty()) {
        sums.adler = Integer.parseUnsignedInt(pair[1], 16);
      } else {
        byte[] state = Base64.getDecoder().decode(pair[1]);
        sums.digests.put(algorithm, SavedDigest.resume(name.get(), state));
      }
    }
    return sums;
  }

  private static IllegalArgumentException broken() {
    return new IllegalArgumentException("no checksum has that name");
  }

  /** As message digests are called; Adler-32 is none. */
  private static Optional<String> name(ChecksumAlgorithm algorithm) {
    return switch (algorithm) {
      case ADLER32 -> Optional.empty();
      case MD5 -> Optional.of("MD5");
      case SHA_256 -> Optional.of("SHA-256");
      case SHA_512 -> Optional.of("SHA-512");
    };
  }

  /** The remaining bytes are next; the buffer's position is left alone. */
  void update(ByteBuffer bytes) {
    RunningChecksum.Adler these = new RunningChecksum.Adler();
    these.update(bytes);
    adler = RunningChecksum.Adler.combine(adler, these.value(), bytes.remaining());
    digests.values().forEach(each -> each.update(bytes));
  }

  /** All that is known of the bytes so far, in one line. */
  String text() {
    String first =
        ChecksumAlgorithm.ADLER32.rfc3230Name() + ":" + Integer.toUnsignedString(adler, 16);
    return digests.entrySet().stream()
        .map(
            each ->
                " "
                    + each.getKey().rfc3230Name()
                    + ":"
                    + Base64.getEncoder().encodeToString(each.getValue().state()))
        .collect(Collectors.joining("", first, ""));
  }

  /** The checksums of all bytes so far; ends the computation. */
  Map<ChecksumAlgorithm, Checksum> finish() {
    Map<ChecksumAlgorithm, Checksum> values = new EnumMap<>(ChecksumAlgorithm.class);
    values.put(ChecksumAlgorithm.ADLER32, RunningChecksum.Adler.checksum(adler));
    digests.forEach((each, digest) -> values.put(each, new Checksum(each, digest.finish())));
    return values;
  }
}
