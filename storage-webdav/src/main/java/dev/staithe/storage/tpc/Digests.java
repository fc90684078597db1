package dev.staithe.storage.tpc;

import dev.staithe.storage.files.Checksum;
import dev.staithe.storage.files.ChecksumAlgorithm;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checksums in header fields: {@code Digest} (RFC 3230) and {@code Repr-Digest} (RFC 9530). Unknown
 * algorithms and values that are none are passed over: another server's header must not stop a copy
 * that can be checked otherwise.
 */
final class Digests {
  /** Asks for a digest by either standard, the field's usual Adler-32 first. */
  static final List<HeaderField> WANTED =
      List.of(
          new HeaderField("Want-Digest", "adler32;q=1, md5;q=0.8, sha-256;q=0.5, sha-512;q=0.3"),
          new HeaderField("Want-Repr-Digest", "adler=10, sha-256=5, sha-512=3"));

  private Digests() {}

  /** The whole file's checksums in a response's head or trailers. */
  static Map<ChecksumAlgorithm, Checksum> in(List<HeaderField> fields) {
    Map<ChecksumAlgorithm, Checksum> found = new EnumMap<>(ChecksumAlgorithm.class);
    for (HeaderField field : fields) {
      if (field.name().equalsIgnoreCase("Digest")) {
        members(field.value(), false).forEach(found::putIfAbsent);
      } else if (field.name().equalsIgnoreCase("Repr-Digest")) {
        members(field.value(), true).forEach(found::putIfAbsent);
      }
    }
    return found;
  }

  /** The members of one field's value. */
  static Map<ChecksumAlgorithm, Checksum> members(String value, boolean structured) {
    Map<ChecksumAlgorithm, Checksum> found = new EnumMap<>(ChecksumAlgorithm.class);
    for (String member : value.split(",", -1)) {
      int equals = member.indexOf('=');
      if (equals < 1) {
        continue;
      }
      String text = member.substring(equals + 1).strip();
      ChecksumAlgorithm.byName(member.substring(0, equals))
          .ifPresent(
              algorithm ->
                  (structured ? structured(algorithm, text) : plain(algorithm, text))
                      .ifPresent(checksum -> found.putIfAbsent(algorithm, checksum)));
    }
    return found;
  }

  private static Optional<Checksum> plain(ChecksumAlgorithm algorithm, String text) {
    return Checksum.fromRfc3230(algorithm, text);
  }

  /** A byte sequence between colons, perhaps with parameters (RFC 8941 section 3.3.5). */
  private static Optional<Checksum> structured(ChecksumAlgorithm algorithm, String text) {
    int close = text.indexOf(':', 1);
    return text.startsWith(":") && close > 0
        ? Checksum.fromBase64(algorithm, text.substring(1, close))
        : Optional.empty();
  }

  /** The first algorithm, in the order of strength known to the field, on which both differ. */
  static Optional<String> mismatch(
      Map<ChecksumAlgorithm, Checksum> local, Map<ChecksumAlgorithm, Checksum> remote) {
    for (Map.Entry<ChecksumAlgorithm, Checksum> entry : remote.entrySet()) {
      Checksum ours = local.get(entry.getKey());
      if (ours != null && !ours.equals(entry.getValue())) {
        return Optional.of(
            "checksum mismatch "
                + entry.getKey().rfc3230Name()
                + " local="
                + ours.hex()
                + " remote="
                + entry.getValue().hex()
                + " (source and destination checksum do not match)");
      }
    }
    return Optional.empty();
  }

  /** Whether there is an algorithm that both sides know. */
  static boolean comparable(
      Map<ChecksumAlgorithm, Checksum> local, Map<ChecksumAlgorithm, Checksum> remote) {
    return remote.keySet().stream().anyMatch(local::containsKey);
  }
}
