package dev.staithe.gateway.evidence;

import dev.staithe.wss.evidence.EvidenceFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many messages are kept of each endpoint: those of former runs are counted once, beside the
 * work, by the lines of the log. Nothing is verified here. Thread-safe.
 */
final class EvidenceTally {
  private static final Logger log = LoggerFactory.getLogger(EvidenceTally.class);

  /** Paths of endpoints have no characters that JSON escapes. */
  private static final Pattern LINE =
      Pattern.compile(
          "^\\{\"time\":\"([^\"]+)\",\"event\":\"message\",\"outcome\":\"kept\""
              + ".*?\"endpoint\":\"(/[^\"\\\\]*)\".*,\"seq\":([0-9]{1,18}),");

  private record Count(long messages, Instant last) {
    Count and(Count other) {
      return new Count(messages + other.messages, last.isBefore(other.last) ? other.last : last);
    }
  }

  private final Map<String, Count> counts = new ConcurrentHashMap<>();
  private volatile boolean complete;

  /**
   * Begins to count what lies in a folder.
   *
   * @param upTo the number of the last line that is counted; later ones are told by {@link #add}
   */
  EvidenceTally(Path folder, long upTo) {
    complete = upTo == 0;
    if (!complete) {
      Thread.ofVirtual().name("evidence-tally").start(() -> count(folder, upTo));
    }
  }

  private void count(Path folder, long upTo) {
    try {
      for (Path each : new EvidenceFolder(folder).logs()) {
        try (var lines =
            new BufferedReader(new InputStreamReader(open(each), StandardCharsets.UTF_8))) {
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.find() && Long.parseLong(matcher.group(3)) <= upTo) {
              add(matcher.group(2), Instant.parse(matcher.group(1)));
            }
          }
        }
      }
      complete = true;
    } catch (IOException | DateTimeParseException e) {
      log.warn("kept messages of former runs cannot be counted: {}", e.getMessage());
    }
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }

  /** Counts a message that was kept now. */
  void add(String endpoint, Instant at) {
    counts.merge(endpoint, new Count(1, at), Count::and);
  }

  /** What is known of an endpoint. */
  Evidence.Tally of(String endpoint) {
    Count count = counts.get(endpoint);
    return count == null
        ? new Evidence.Tally(0, null, complete)
        : new Evidence.Tally(count.messages(), count.last(), complete);
  }
}
