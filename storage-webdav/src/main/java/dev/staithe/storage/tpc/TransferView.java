package dev.staithe.storage.tpc;

import dev.staithe.http.TcpInfo;
import dev.staithe.storage.remote.CopyProgress;
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
 * @param waits what it waited for most lately, where it runs
 * @param peerNanos nanoseconds that its streams waited for remote ends
 * @param storageNanos nanoseconds that the storage here took, over all streams
 * @param connections that stand, as the kernel has them
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
    @Nullable Waits waits,
    long peerNanos,
    long storageNanos,
    List<CopyProgress.Connection> connections,
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

  /** What most of a copy's time goes to. */
  enum Waits {
    /** The remote end, or the network to it. */
    PEER,
    /** The file system here. */
    STORAGE,
    /** Neither: checksums, encryption, a busy machine. */
    PROCESSOR;

    /** The larger one of the two; neither where both together are less than half. */
    static Waits of(long elapsed, long peer, long storage) {
      if (peer + storage < elapsed / 2) {
        return PROCESSOR;
      }
      return storage > peer ? STORAGE : PEER;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How it got on over some time.
   *
   * @param rate bytes a second
   */
  record Pace(long rate, Waits waits) {}

  /** What it waits for, for people; empty where it has ended. */
  String why() {
    if (state == State.QUEUED) {
      return "waits for its turn";
    }
    if (waits == null) {
      return "";
    }
    String most = "mostly " + waits.label();
    return connections.isEmpty()
        ? most
        : "%s; %d retransmits, round trip %.1f ms"
            .formatted(
                most,
                connections.stream().mapToLong(each -> each.info().retransmits()).sum(),
                connections.stream()
                        .mapToLong(
                            each ->
                                Math.max(each.info().rttMicros(), each.info().receivedRttMicros()))
                        .max()
                        .orElse(0)
                    / 1e3);
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
    if (state == State.QUEUED) {
      json.put("waitsFor", "queue");
    } else if (waits != null) {
      json.put("waitsFor", waits.label());
    }
    json.put("peerSeconds", peerNanos / 1_000_000 / 1e3);
    json.put("storageSeconds", storageNanos / 1_000_000 / 1e3);
    if (!connections.isEmpty()) {
      json.put("connections", connections.stream().map(TransferView::json).toList());
    }
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

  /** In milliseconds, segments and bytes. */
  private static Map<String, Object> json(CopyProgress.Connection connection) {
    TcpInfo info = connection.info();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("peer", connection.peer());
    json.put("rttMillis", info.rttMicros() / 1e3);
    if (info.leastRttMicros() > 0) {
      json.put("leastRttMillis", info.leastRttMicros() / 1e3);
    }
    if (info.receivedRttMicros() > 0) {
      json.put("receivedRttMillis", info.receivedRttMicros() / 1e3);
    }
    json.put("retransmits", info.retransmits());
    json.put("congestionWindow", info.congestionWindow());
    json.put("segmentBytes", info.segmentBytes());
    json.put("congestionControl", info.congestionControl());
    return json;
  }
}
