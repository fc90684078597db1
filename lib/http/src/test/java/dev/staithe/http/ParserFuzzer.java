package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A target for Jazzer: an answer is read as it comes at once, and byte by byte. A difference is
 * thrown, and so is what a head must never hold, and anything but a failure in one line.
 */
public final class ParserFuzzer {
  private static final HeadLimits LIMITS = new HeadLimits(4096, 50);

  private ParserFuzzer() {}

  /** Called by Jazzer for each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    String whole = Bytes.read(input, Integer.MAX_VALUE, LIMITS);
    String slow = Bytes.read(input, 1, LIMITS);
    if (!whole.equals(slow)) {
      throw new IllegalStateException("at once: " + whole + "\nbyte by byte: " + slow);
    }
    try {
      ResponseHead head = new HeadReader(LIMITS).read(ByteBuffer.wrap(input));
      if (head != null) {
        check(head);
      }
    } catch (HttpFailure refused) {
      if (refused.getMessage() == null || refused.getMessage().indexOf('\n') >= 0) {
        throw new IllegalStateException("not one line", refused);
      }
    }
  }

  private static void check(ResponseHead head) {
    if (head.status() < 100 || head.status() > 599) {
      throw new IllegalStateException("status " + head.status());
    }
    for (HeaderField field : head.fields().list()) {
      String value = field.value();
      if (!field.name().matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
          || value.chars().anyMatch(c -> c < 0x20 && c != '\t' || c == 0x7f)
          || !value.equals(value.strip())) {
        throw new IllegalStateException("field " + field);
      }
      if (!head.all(field.name()).orElseThrow().contains(value)) {
        throw new IllegalStateException("field lost " + field);
      }
    }
  }

  /** Writes what to begin with. */
  static void seed(Path corpus) throws IOException {
    Files.createDirectories(corpus);
    int i = 0;
    for (var rows :
        List.of(
            OddAnswersTests.taken(),
            OddAnswersTests.takenOnce(),
            OddAnswersTests.malformed(),
            OddAnswersTests.others())) {
      for (var row : rows.toList()) {
        String answer = (String) row.get()[2];
        Files.write(corpus.resolve("" + i++), answer.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
  }
}
