package dev.staithe.cli.storage;

import dev.staithe.cli.program.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Transfers as lines for people, a row for each. */
final class TransferTable {
  private static final List<String> HEADINGS =
      List.of("id", "state", "done", "rate", "streams", "peer", "file", "why");
  private static final String PREFIXES = "KMGTPE";

  private TransferTable() {}

  /** The lines, with one of headings where there is any transfer. */
  static List<String> of(JsonNode transfers) {
    List<List<String>> rows = new ArrayList<>();
    if (!transfers.isEmpty()) {
      rows.add(HEADINGS);
    }
    transfers.forEach(each -> rows.add(row(each)));
    int[] widths = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(String.format("%-" + Math.max(1, widths[i]) + "s  ", row.get(i)));
    }
    return line.toString().stripTrailing();
  }

  private static List<String> row(JsonNode transfer) {
    String state = text(transfer, "state");
    boolean ended = state.equals("ended");
    boolean pull = text(transfer, "direction").equals("pull");
    return List.of(
        text(transfer, "id"),
        ended ? text(transfer, "outcome") : state,
        done(transfer),
        state.equals("queued") ? "-" : size(transfer.path("rate").asLong(0)) + "/s",
        text(transfer, "streams"),
        peer(transfer),
        (pull ? "<- " : "-> ") + text(transfer, "path"),
        ended ? text(transfer, "reason") : why(transfer));
  }

  private static String done(JsonNode transfer) {
    long bytes = transfer.path("bytes").asLong(0);
    long size = transfer.path("size").asLong(-1);
    return size <= 0
        ? size(bytes)
        : size(bytes) + " " + String.format(Locale.ROOT, "%d%%", (long) (bytes * 100.0 / size));
  }

  private static String peer(JsonNode transfer) {
    JsonNode peers = transfer.path("peers");
    String last = peers.isEmpty() ? "" : Page.printable(peers.path(peers.size() - 1).asString(""));
    return last.isEmpty()
        ? text(transfer, "remote").replaceFirst("^[a-z]+://([^/]*).*$", "$1")
        : last.replaceFirst("^tcp:", "");
  }

  /** What it waits for, and of its connections the worst. */
  private static String why(JsonNode transfer) {
    String waitsFor = text(transfer, "waitsFor");
    double rtt = 0;
    long retransmits = 0;
    long window = Long.MAX_VALUE;
    JsonNode connections = transfer.path("connections");
    for (JsonNode each : connections) {
      rtt =
          Math.max(
              rtt, each.path("receivedRttMillis").asDouble(each.path("rttMillis").asDouble(0)));
      retransmits += each.path("retransmits").asLong(0);
      window = Math.min(window, each.path("congestionWindow").asLong(0));
    }
    return connections.isEmpty()
        ? waitsFor
        : String.format(
            Locale.ROOT,
            "%s; rtt %.1f ms, %d retransmits, window %d",
            waitsFor,
            rtt,
            retransmits,
            window);
  }

  /** Multiples of 1024 with IEC prefixes. */
  private static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + "B";
    }
    double value = bytes;
    int prefix = -1;
    while (value >= 1023.95 && prefix < PREFIXES.length() - 1) {
      value /= 1024;
      prefix++;
    }
    return String.format(Locale.ROOT, "%.1f%ciB", value, PREFIXES.charAt(prefix));
  }

  private static String text(JsonNode transfer, String name) {
    return Page.printable(transfer.path(name).asString(""));
  }
}
