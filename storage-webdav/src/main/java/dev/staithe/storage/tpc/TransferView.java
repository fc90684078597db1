package dev.staithe.storage.tpc;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A third-party copy at one moment.
 *
 * @param phase what it is doing, as markers have it
 * @param bytes moved so far
 * @param size of the file in bytes, -1 where nobody has said so yet
 * @param rate bytes a second: lately, or on the whole where it has ended
 * @param waited until its turn came
 * @param ran since then
 * @param peers remote ends of its connections so far
 * @param outcome where it has ended
 * @param reason where it has ended without success; one line
 * @param ended where it has
 */
record TransferView(
    Transfer.About about,
    State state,
    String phase,
    long bytes,
    long size,
    long rate,
    Duration waited,
    Duration ran,
    List<String> peers,
    @Nullable String outcome,
    @Nullable String reason,
    @Nullable Instant ended) {
  /** How far a copy is. */
  enum State {
    QUEUED,
    RUNNING,
    ENDED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** As JSON has it. */
  Map<String, Object> json(boolean mayCancel) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", about.id());
    json.put("state", state.label());
    if (state != State.ENDED) {
      json.put("phase", phase);
    }
    json.put("direction", about.direction().label());
    json.put("area", about.here().area());
    json.put("path", about.href());
    json.put("remote", about.remote());
    json.put("peers", peers);
    json.put("caller", about.caller());
    json.put("group", about.group());
    if (!about.clientInfo().isEmpty()) {
      json.put("clientInfo", about.clientInfo());
    }
    json.put("request", about.request());
    json.put("asked", about.asked().toString());
    json.put("waitedSeconds", waited.toMillis() / 1e3);
    json.put("ranSeconds", ran.toMillis() / 1e3);
    json.put("bytes", bytes);
    if (size >= 0) {
      json.put("size", size);
    }
    json.put("rate", rate);
    json.put("streams", about.streams());
    if (outcome != null) {
      json.put("outcome", outcome);
      json.put("ended", String.valueOf(ended));
    }
    if (reason != null) {
      json.put("reason", PerformanceMarkers.flat(reason));
    }
    json.put("mayCancel", mayCancel && state != State.ENDED);
    return json;
  }
}
