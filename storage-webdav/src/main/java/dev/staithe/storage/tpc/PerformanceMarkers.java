package dev.staithe.storage.tpc;

import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;

/**
 * Writes the marker stream of HTTP-TPC (the syntax is GridFTP's, GFD.020 section 3.2). Clients are
 * particular: a line has at most 1022 bytes, the byte count begins at column 26, one blank follows
 * the colon, IPv6 addresses stand in brackets, and the count must never decrease.
 */
final class PerformanceMarkers {
  /** The stream's media type. */
  static final String CONTENT_TYPE = "text/perf-marker-stream";

  private static final int MAX_LINE = 1000;

  private final Clock clock;

  PerformanceMarkers(Clock clock) {
    this.clock = clock;
  }

  /** One marker, for the copy as it stands. */
  ByteBuffer marker(CopyProgress progress) {
    StringBuilder text = new StringBuilder(200);
    text.append("Perf Marker\n");
    text.append("Timestamp: ").append(clock.instant().getEpochSecond()).append('\n');
    text.append("State: ").append(progress.phase().label()).append('\n');
    text.append("Stripe Index: 0\n");
    text.append("Stripe Bytes Transferred: ").append(progress.bytes()).append('\n');
    text.append("Total Stripe Count: 1\n");
    List<String> remotes = progress.remotes();
    if (!remotes.isEmpty()) {
      text.append("RemoteConnections: ").append(joined(remotes)).append('\n');
    }
    text.append("End\n");
    return bytes(text);
  }

  private static String joined(List<String> remotes) {
    StringBuilder line = new StringBuilder();
    for (String remote : remotes) {
      if (line.length() + remote.length() > 900) {
        break;
      }
      line.append(line.isEmpty() ? "" : ",").append(remote);
    }
    return line.toString();
  }

  /** The line that ends the stream and tells the outcome. */
  static ByteBuffer end(CopyResult result) {
    StringBuilder line = new StringBuilder();
    switch (result) {
      case CopyResult.Copied copied -> line.append("success: Created");
      case CopyResult.Failed(String reason, int status) -> line.append("failure: ").append(reason);
      case CopyResult.Aborted(String why) -> line.append("aborted: ").append(why);
    }
    return bytes(new StringBuilder(flat(line.toString())).append('\n'));
  }

  /** One line of printable characters, shorter than 1 KB. */
  static String flat(String text) {
    StringBuilder flat = new StringBuilder();
    boolean blank = false;
    int length = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      boolean space = Character.isWhitespace(c) || Character.isISOControl(c) || c == 0x2028;
      if (space && (blank || flat.isEmpty())) {
        continue;
      }
      blank = space;
      int shown = space ? ' ' : Character.isDefined(c) && !isSurrogate(c) ? c : '?';
      int size = shown < 0x80 ? 1 : 4;
      if (length + size > MAX_LINE) {
        break;
      }
      length += size;
      flat.appendCodePoint(shown);
    }
    return flat.toString().strip();
  }

  private static boolean isSurrogate(int c) {
    return c >= 0xd800 && c <= 0xdfff;
  }

  private static ByteBuffer bytes(StringBuilder text) {
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
