package dev.staithe.gateway.evidence;

import static dev.staithe.wss.evidence.EvidenceFolder.sha256;

import dev.staithe.pki.HashChain;
import dev.staithe.wss.evidence.EvidenceFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the end of the log and at the last message, so that a page can say whether they are
 * still what was written. What is before is for {@code staithe evidence verify}.
 */
final class EvidenceEnd {
  /** Longer messages are only looked for, not read. */
  private static final int READ = 1 << 20;

  private static final Pattern PLACE =
      Pattern.compile(
          "\"file\":\"(messages-[0-9-]{10}\\.bin)\",\"offset\":([0-9]{1,18}),"
              + "\"length\":([0-9]{1,10}),\"sha256\":\"([0-9a-f]{64})\"");

  private EvidenceEnd() {}

  /** What is wrong, one line without a folder's name; null where nothing is. */
  static @Nullable String trouble(Path folder, HashChain.Head head) {
    if (head.seq() == 0) {
      return null;
    }
    Path log = folder.resolve(EvidenceFolder.LOG);
    try {
      String line = Files.size(log) == 0 ? null : lastLine(log);
      if (line == null) {
        // A new day's: the one before is closed, and not looked at.
        return null;
      }
      if (!HashChain.head(line).filter(head::equals).isPresent()) {
        return "the end of the log is not what was written";
      }
      Matcher place = PLACE.matcher(line);
      return place.find() ? message(folder, place) : null;
    } catch (IOException e) {
      return "the end of the log cannot be read";
    }
  }

  private static String lastLine(Path log) throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      int length = (int) Math.min(file.length(), HashChain.MAX_LINE + 1L);
      byte[] end = new byte[length];
      file.seek(file.length() - length);
      file.readFully(end);
      String text = new String(end, StandardCharsets.UTF_8).stripTrailing();
      return text.substring(text.lastIndexOf('\n') + 1);
    }
  }

  private static @Nullable String message(Path folder, Matcher place) throws IOException {
    long offset = Long.parseLong(place.group(2));
    long length = Long.parseLong(place.group(3));
    Path messages = folder.resolve(place.group(1));
    if (!Files.exists(messages)) {
      return "the last message is gone";
    }
    try (var file = new RandomAccessFile(messages.toFile(), "r")) {
      if (file.length() < offset + length) {
        return "the last message is cut off";
      }
      if (length > READ) {
        return null;
      }
      byte[] octets = new byte[(int) length];
      file.seek(offset);
      file.readFully(octets);
      return sha256(octets).equals(place.group(4)) ? null : "the last message was changed";
    }
  }
}
