package dev.staithe.storage.state;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An upload over several requests as lines of a text, which whatever keeps it adds its own to. */
public final class PartialText {
  /** Lines of one. */
  public static final int LINES = 7;

  private PartialText() {}

  /** As lines, {@link #LINES} of them. */
  public static List<String> of(Partial partial) {
    return List.of(
        partial.target().href(),
        Long.toString(partial.length()),
        Boolean.toString(partial.complete()),
        partial.expires().toString(),
        partial.holder().replace('\n', ' '),
        partial.stated().stream().map(Checksum::toString).collect(Collectors.joining(" ")),
        partial.conditions());
  }

  /**
   * Reads what lines tell; those of the first days are five or six.
   *
   * @throws IOException where they are none of an upload
   */
  public static Partial read(String id, List<String> lines) throws IOException {
    if (lines.size() < 5
        || !(StoragePath.parse(lines.get(0)) instanceof StoragePath.Parsed.Valid target)) {
      throw new IOException("the record is broken");
    }
    return new Partial(
        id,
        target.path(),
        lines.get(4),
        Long.parseLong(lines.get(1)),
        lines.size() < 6 ? List.of() : checksums(lines.get(5)),
        lines.size() < LINES ? "" : lines.get(6),
        Boolean.parseBoolean(lines.get(2)),
        Instant.parse(lines.get(3)));
  }

  private static List<Checksum> checksums(String text) {
    return Stream.of(text.split(" "))
        .map(each -> each.split(":", 2))
        .filter(pair -> pair.length == 2)
        .flatMap(
            pair ->
                ChecksumAlgorithm.byName(pair[0])
                    .flatMap(algorithm -> Checksum.fromHex(algorithm, pair[1]))
                    .stream())
        .toList();
  }
}
