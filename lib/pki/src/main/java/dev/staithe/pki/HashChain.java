package dev.staithe.pki;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Lines of a log of which none can be changed, taken out or put in without breaking all that
 * follow. Each is a JSON object that ends with its number, the hash of the line before and its own
 * hash:
 *
 * <pre>{…,"seq":7,"prev":"64 hexadecimal digits","hash":"64 hexadecimal digits"}</pre>
 *
 * <p>The hash is the SHA-256 of the line's UTF-8 bytes up to and without {@code ,"hash":}. Lines
 * that are cut off at the end leave no trace: whoever must know of that keeps the last hash
 * elsewhere. All methods are thread-safe.
 */
public final class HashChain {
  /** Longer lines are none of ours. */
  public static final int MAX_LINE = 64 * 1024;

  private static final Pattern END =
      Pattern.compile(
          ",\"seq\":([1-9][0-9]{0,17}),\"prev\":\"([0-9a-f]{64})\",\"hash\":\"([0-9a-f]{64})\"}$");

  private static final String HASH = ",\"hash\":";

  private HashChain() {}

  /**
   * Where a chain has got to.
   *
   * @param seq the last line's number
   * @param hash of the last line
   */
  public record Head(long seq, String hash) {
    /** Before the first line. */
    public static final Head START = new Head(0, "0".repeat(64));
  }

  /** What is thought of a log. */
  public sealed interface Verdict {
    /**
     * No line was touched.
     *
     * @param lines how many there are
     * @param first the number of the first; 1 where nothing came before it
     * @param last where the chain ends
     */
    record Intact(long lines, long first, Head last) implements Verdict {}

    /**
     * It is not what was written.
     *
     * @param file where
     * @param line the first one that is wrong, counted from 1
     * @param why completes "line 7 …"
     */
    record Broken(Path file, long line, String why) implements Verdict {}
  }

  /**
   * A closed line.
   *
   * @param text without the line's end
   * @param head where the chain has got to with it
   */
  public record Line(String text, Head head) {}

  /**
   * Closes a line.
   *
   * @param object a JSON object with at least one member and no line ends
   */
  public static Line seal(String object, Head before) {
    String open =
        object.substring(0, object.length() - 1)
            + ",\"seq\":"
            + (before.seq() + 1)
            + ",\"prev\":\""
            + before.hash()
            + '"';
    String hash = sha256(open);
    return new Line(open + HASH + '"' + hash + "\"}", new Head(before.seq() + 1, hash));
  }

  /** The head after this line, if the line is whole. */
  public static Optional<Head> head(String line) {
    var end = END.matcher(line);
    if (!end.find()) {
      return Optional.empty();
    }
    String hash = end.group(3);
    String open = line.substring(0, line.length() - HASH.length() - hash.length() - 3);
    return sha256(open).equals(hash)
        ? Optional.of(new Head(Long.parseLong(end.group(1)), hash))
        : Optional.empty();
  }

  /**
   * Judges a log.
   *
   * @param files the oldest first, as rotation left them; those named {@code *.gz} are unpacked
   * @throws IOException where one cannot be read
   */
  public static Verdict verify(List<Path> files) throws IOException {
    Head head = null;
    long first = 0;
    long lines = 0;
    for (Path file : files) {
      long number = 0;
      try (var reader =
          new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          number++;
          lines++;
          var end = END.matcher(line);
          if (!end.find()) {
            return new Verdict.Broken(file, number, "does not end as a line of the chain does");
          }
          long seq = Long.parseLong(end.group(1));
          if (head == null) {
            // The first of what we are given; only number 1 says what came before.
            head = seq == 1 ? Head.START : new Head(seq - 1, end.group(2));
            first = seq;
          }
          if (seq != head.seq() + 1) {
            return new Verdict.Broken(
                file, number, "has number " + seq + " where " + (head.seq() + 1) + " is due");
          }
          if (!end.group(2).equals(head.hash())) {
            return new Verdict.Broken(file, number, "does not continue the line before it");
          }
          var next = head(line);
          if (next.isEmpty()) {
            return new Verdict.Broken(file, number, "has another hash than its text");
          }
          head = next.get();
        }
      }
    }
    return new Verdict.Intact(lines, first, head == null ? Head.START : head);
  }

  /** A file of a log, unpacked where it is named {@code *.gz}. */
  public static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
