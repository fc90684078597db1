package dev.staithe.storage.remote;

import dev.staithe.service.Networks;
import java.time.Duration;

/**
 * How third-party copies behave; invalid values cannot exist.
 *
 * @param limits how many copies run and wait
 * @param timeouts how long a remote server may take
 * @param markerPeriod between two performance markers, 100 ms to 30 s
 * @param earlyAnswer how long the status is held back for a failure that is found at once, 0 to 30
 *     s
 * @param maxStreams ranged requests of one pull at most, 1 to 16; more asked for are this many
 * @param stripedFrom length in bytes from which a file is pulled by several streams
 * @param verifyByDefault whether a checksum of the other side is required where the client does not
 *     say; one that is offered is compared in any case
 * @param credentialsOverPlainHttp whether forwarded headers go to a remote server without TLS
 * @param allowedNetworks private and local networks that copies may connect to
 * @param tuning how the kernel sends what copies send
 */
public record CopySettings(
    Limits limits,
    Timeouts timeouts,
    Duration markerPeriod,
    Duration earlyAnswer,
    int maxStreams,
    long stripedFrom,
    boolean verifyByDefault,
    boolean credentialsOverPlainHttp,
    Networks allowedNetworks,
    CopyTuning tuning) {

  /**
   * How many copies run and wait.
   *
   * @param running at once, 1 to 10000
   * @param perHost at once with one remote host, 1 to {@code running}
   * @param queued waiting, 0 to 100000
   * @param queuedPerGroup waiting of one group of callers, 0 to {@code queued}
   * @param retryAfter what a refused client is told, in whole seconds of 1 to 3600
   */
  public record Limits(
      int running, int perHost, int queued, int queuedPerGroup, Duration retryAfter) {
    /** Checks the ranges. */
    public Limits {
      check(running >= 1 && running <= 10_000, "running must be 1 to 10000");
      check(perHost >= 1 && perHost <= running, "per-host must be 1 to running");
      check(queued >= 0 && queued <= 100_000, "queued must be 0 to 100000");
      check(
          queuedPerGroup >= 0 && queuedPerGroup <= queued, "queued-per-group must be 0 to queued");
      within(retryAfter, Duration.ofSeconds(1), Duration.ofHours(1), "retry-after");
    }

    /** 50 at once, 25 per host, 1000 waiting, 500 of one group. */
    public static Limits defaults() {
      return new Limits(50, 25, 1000, 500, Duration.ofSeconds(30));
    }
  }

  /**
   * How long a remote server may take.
   *
   * @param connect until the TCP connection stands, each address
   * @param handshake until the TLS session stands
   * @param firstByte until the response begins, which may need a file to be read or staged
   * @param stall without any byte while data is due
   * @param slowWindow time spent waiting for the remote in which {@code slowFloor} is measured
   * @param slowFloor fewest bytes per second over a window; 0 switches this off
   * @param continueWait for {@code 100 Continue} before the body is sent unasked
   * @param notReady for a source or destination that answers 202, besides what its size adds
   * @param notReadyRetry between two such attempts
   * @param cleanUp for removing what was pushed in vain
   */
  public record Timeouts(
      Duration connect,
      Duration handshake,
      Duration firstByte,
      Duration stall,
      Duration slowWindow,
      long slowFloor,
      Duration continueWait,
      Duration notReady,
      Duration notReadyRetry,
      Duration cleanUp) {
    /** Checks the ranges: each from 10 ms to 1 h. */
    public Timeouts {
      Duration least = Duration.ofMillis(10);
      Duration most = Duration.ofHours(1);
      within(connect, least, most, "connect");
      within(handshake, least, most, "handshake");
      within(firstByte, least, most, "first-byte");
      within(stall, least, most, "stall");
      within(slowWindow, least, most, "slow-window");
      check(slowFloor >= 0, "slow-floor must not be negative");
      within(continueWait, least, most, "continue-wait");
      within(notReady, least, most, "not-ready");
      within(notReadyRetry, least, most, "not-ready-retry");
      within(cleanUp, least, most, "clean-up");
    }

    /** The field's habits: 10 s to connect, 120 s to the first byte, 60 s of silence. */
    public static Timeouts defaults() {
      return new Timeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(120),
          Duration.ofSeconds(60),
          Duration.ofSeconds(120),
          10 * 1024,
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10));
    }
  }

  /** Checks the ranges. */
  public CopySettings {
    within(markerPeriod, Duration.ofMillis(100), Duration.ofSeconds(30), "marker-period");
    within(earlyAnswer, Duration.ZERO, Duration.ofSeconds(30), "early-answer");
    check(maxStreams >= 1 && maxStreams <= 16, "max-streams must be 1 to 16");
    check(stripedFrom >= 1, "striped-from must be positive");
  }

  /** The defaults, with those networks allowed. */
  public static CopySettings defaults(Networks allowedNetworks) {
    return new CopySettings(
        Limits.defaults(),
        Timeouts.defaults(),
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        8,
        64L << 20,
        true,
        false,
        allowedNetworks,
        CopyTuning.NONE);
  }

  private static void within(Duration value, Duration least, Duration most, String name) {
    check(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        name + " must be " + least + " to " + most);
  }

  private static void check(boolean valid, String otherwise) {
    if (!valid) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
