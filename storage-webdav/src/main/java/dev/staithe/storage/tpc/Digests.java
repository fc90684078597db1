package dev.staithe.storage.tpc;

import dev.staithe.http.Fields;
import dev.staithe.http.HeaderField;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.DigestHeaders;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;

/** Asking another server for checksums, and comparing them with one's own. */
final class Digests {
  /** Asks for a digest by either standard, the field's usual Adler-32 first. */
  static final List<HeaderField> WANTED =
      List.of(
          new HeaderField("Want-Digest", "adler32;q=1, md5;q=0.8, sha-256;q=0.5, sha-512;q=0.3"),
          new HeaderField("Want-Repr-Digest", "adler=10, sha-256=5, sha-512=3"));

  private Digests() {}

  /** The whole file's checksums in a response's head or trailers; what cannot be read is none. */
  static Map<ChecksumAlgorithm, Checksum> in(Fields fields) {
    HttpFields.Mutable read = HttpFields.build();
    fields.list().forEach(field -> read.add(field.name(), field.value()));
    Map<ChecksumAlgorithm, Checksum> found = new EnumMap<>(ChecksumAlgorithm.class);
    found.putAll(DigestHeaders.stated(read).checksums());
    return found;
  }

  /** The same with a part, of which {@code Content-MD5} speaks (RFC 2616 section 14.15). */
  static Map<ChecksumAlgorithm, Checksum> inPart(Fields fields) {
    return in(
        new Fields(
            fields.list().stream()
                .filter(field -> !field.name().equalsIgnoreCase("Content-MD5"))
                .toList()));
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
