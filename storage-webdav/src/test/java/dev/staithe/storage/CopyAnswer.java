package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Curl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a third-party COPY, read as strictly as the protocol allows.
 *
 * @param markers the performance markers, in order
 * @param last the line after the last marker, or the one line of a refusal
 */
record CopyAnswer(int status, List<Map<String, String>> markers, String last, Curl.Response raw) {

  /** Reads what any server may send. */
  static CopyAnswer of(Curl.Response response) {
    List<Map<String, String>> markers = new ArrayList<>();
    Map<String, String> marker = null;
    String last = "";
    for (String line : response.text().lines().toList()) {
      if (line.strip().equals("Perf Marker")) {
        marker = new HashMap<>();
      } else if (line.strip().equals("End") && marker != null) {
        markers.add(Map.copyOf(marker));
        marker = null;
      } else if (marker != null) {
        int colon = line.indexOf(':');
        assertThat(colon).as(response.text()).isPositive();
        marker.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      } else if (!line.isBlank()) {
        last = line;
      }
    }
    assertThat(marker).as("a marker without an end in: %s", response.text()).isNull();
    return new CopyAnswer(response.status(), List.copyOf(markers), last, response);
  }

  /** Reads an answer of ours and expects the form that we promise for a copy that began. */
  static CopyAnswer ofOurs(Curl.Response response) {
    CopyAnswer answer = of(response);
    assertThat(answer.status()).as(response + response.text()).isEqualTo(202);
    assertThat(response.header("content-type")).contains("text/perf-marker-stream");
    assertThat(answer.markers()).as("first and last marker").hasSizeGreaterThanOrEqualTo(2);
    assertThat(response.text()).endsWith(answer.last() + "\n");
    long before = 0;
    for (Map<String, String> marker : answer.markers()) {
      assertThat(marker)
          .containsKeys("Timestamp", "Stripe Index", "Stripe Bytes Transferred")
          .containsEntry("Total Stripe Count", "1");
      long bytes = Long.parseLong(marker.get("Stripe Bytes Transferred"));
      assertThat(bytes).isGreaterThanOrEqualTo(before);
      before = bytes;
    }
    return answer;
  }

  /** Expects success and that the last marker tells the length and the remote's address. */
  CopyAnswer succeeded(long bytes) {
    succeededHere(bytes);
    assertThat(markers.getLast().get("RemoteConnections"))
        .as(raw.text())
        .matches("tcp:(127\\.0\\.0\\.1|\\[[0-9a-f:]+]):\\d+(,tcp:.*)?");
    return this;
  }

  /** The same for a copy within one server, which has no remote. */
  CopyAnswer succeededHere(long bytes) {
    assertThat(last).as(raw.text()).isEqualTo("success: Created");
    assertThat(markers.getLast()).containsEntry("Stripe Bytes Transferred", Long.toString(bytes));
    return this;
  }
}
