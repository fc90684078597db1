package dev.staithe.storage.exchange;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a write that is refused with 412 tells of the file that is there: the checksums that are
 * kept of it, by which one who tries once more sees that the file is the one that an earlier try
 * has brought. Told to those alone who might ask for it by HEAD.
 */
public final class FileInTheWay {
  private FileInTheWay() {}

  /** Puts the header {@code Repr-Digest} (RFC 9530) into the refusal to come. */
  public static void tell(Exchange exchange) throws IOException {
    if (!(exchange.admission(exchange.path(), Right.STAT) instanceof Admission.Allowed)) {
      return;
    }
    FileStore store = exchange.area().store();
    Optional<FileEntry> there = store.find(exchange.path());
    if (there.isEmpty() || there.get().collection()) {
      return;
    }
    String kept =
        Arrays.stream(ChecksumAlgorithm.values())
            .flatMap(algorithm -> store.kept(there.get(), algorithm).stream())
            .map(Checksum::rfc9530)
            .collect(Collectors.joining(", "));
    if (!kept.isEmpty()) {
      exchange.response().getHeaders().put("Repr-Digest", kept);
    }
  }
}
