package dev.staithe.perf.gatling;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answers that the simulations of storage and of sessions take for good. Of what it is told it
 * keeps how long the last file was, and how many files were put into the folder that is listed.
 * Thread-safe.
 */
final class CannedAnswers {
  private static final Pattern LENGTH = field("content-length: *([0-9]{1,9})");
  private static final Pattern RANGE = field("range: *bytes=([0-9]{1,9})-([0-9]{1,9})");

  /** As long as an entry of ours is. */
  private static final String ENTRY =
      """
      <d:response><d:href>/data/gatling-00000000-0000-0000-0000-000000000000/list/%1$d</d:href>\
      <d:propstat><d:prop><d:displayname>%1$d</d:displayname><d:getcontentlength>1</d:getcontentlength>\
      <d:getlastmodified>Thu, 01 Jan 2026 00:00:00 GMT</d:getlastmodified>\
      <d:creationdate>2026-01-01T00:00:00Z</d:creationdate><d:getetag>"0123456789abcdef-1"</d:getetag>\
      <d:resourcetype/><d:supportedlock/></d:prop>\
      <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
      """;

  private final Map<String, byte[]> kept = new ConcurrentHashMap<>();
  private final AtomicInteger entries = new AtomicInteger();
  private volatile int fileBytes;
  private volatile String range = "";

  private static Pattern field(String field) {
    return Pattern.compile("\n" + field, Pattern.CASE_INSENSITIVE);
  }

  /** How much content follows a head, bytes. */
  static int length(String head) {
    Matcher length = LENGTH.matcher(head);
    return length.find() ? Integer.parseInt(length.group(1)) : 0;
  }

  /** Length of the last file that was put, bytes. */
  int fileBytes() {
    return fileBytes;
  }

  /** Files in the folder that is listed. */
  int entries() {
    return entries.get();
  }

  /** The last range that was asked for, as {@code bytes=0-65535}; empty for none. */
  String range() {
    return range;
  }

  /** The whole answer to a request. */
  byte[] to(String head) {
    String[] line = head.split(" ", 3);
    return switch (line[0]) {
      case "GET" -> get(head);
      case "PUT" -> put(line[1], head);
      case "MKCOL" -> answer("201 Created", "", "");
      case "DELETE" -> answer("204 No Content", "", "");
      case "PROPFIND" ->
          kept.computeIfAbsent("list " + entries, _ -> answer("207 Multi-Status", "", listing()));
      case "COPY" -> answer("202 Accepted", "", markers());
      case "POST" -> session(line[1]);
      default -> answer("405 Method Not Allowed", "", "");
    };
  }

  private byte[] put(String path, String head) {
    if (path.contains("/list/")) {
      entries.incrementAndGet();
    } else {
      fileBytes = length(head);
    }
    return answer("201 Created", "", "");
  }

  private byte[] get(String head) {
    Matcher asked = RANGE.matcher(head);
    if (!asked.find()) {
      return kept.computeIfAbsent(
          "file " + fileBytes, _ -> answer("200 OK", "", "x".repeat(fileBytes)));
    }
    int first = Integer.parseInt(asked.group(1));
    int last = Integer.parseInt(asked.group(2));
    range = "bytes=%d-%d".formatted(first, last);
    return answer(
        "206 Partial Content",
        "Content-Range: bytes %d-%d/%d\r\n".formatted(first, last, fileBytes),
        "x".repeat(last - first + 1));
  }

  private String listing() {
    var all = new StringBuilder("<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">");
    for (int i = 0; i <= entries.get(); i++) {
      all.append(ENTRY.formatted(i));
    }
    return all.append("</d:multistatus>").toString();
  }

  /** The answer has no date that the marker's time could be compared with. */
  private String markers() {
    return """
    Perf Marker
    Timestamp: 1800000000
    Stripe Index: 0
    Stripe Bytes Transferred: %d
    Total Stripe Count: 1
    End
    success: Created
    """
        .formatted(fileBytes);
  }

  private static byte[] session(String path) {
    String body =
        path.endsWith("_action=validate")
            ? "{\"valid\":true}"
            : "{\"tokenId\":\"canned-0123456789-0123456789-0123456789-0123456789\"}";
    return answer("200 OK", "Content-Type: application/json\r\n", body);
  }

  private static byte[] answer(String status, String fields, String body) {
    String length =
        status.startsWith("204") ? "" : "Content-Length: %d\r\n".formatted(body.length());
    return "HTTP/1.1 %s\r\n%s%s\r\n%s"
        .formatted(status, fields, length, body)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
