package dev.staithe.perf.peers;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A link with a delay in the network namespace of this process, which must be one of its own
 * ({@code unshare --net}): by {@code tc netem} on the loopback device where the kernel has it, else
 * by a {@link TunRelay}. Closed with the process at the latest.
 */
public final class DelayedLink implements AutoCloseable {
  /** The name that the far end is called by, in certificates and hosts files. */
  public static final String HOST = "far.perf.invalid";

  private static final String NEAR_ADDRESS = "10.9.0.1";
  private static final String FAR_ADDRESS = "10.9.0.2";

  private final @Nullable TunRelay relay;

  private DelayedLink(@Nullable TunRelay relay) {
    this.relay = relay;
  }

  /**
   * Brings it up.
   *
   * @param delay of each packet, in each direction
   * @throws IOException where this is not a namespace of its own or nothing can delay packets, in
   *     one line
   */
  public static DelayedLink up(Duration delay) throws IOException {
    String devices = run("ip", "-brief", "link");
    if (devices.lines().anyMatch(line -> !line.startsWith("lo ") && line.contains(" UP "))) {
      throw new IOException("this is the machine's own network, which is left alone");
    }
    run("ip", "link", "set", "lo", "up");
    try {
      run("tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", delay.toMillis() + "ms");
      return new DelayedLink(null);
    } catch (IOException withoutNetem) {
      TunRelay relay = TunRelay.open("delay0", delay);
      run("ip", "address", "add", NEAR_ADDRESS + "/24", "dev", "delay0");
      run("ip", "link", "set", "delay0", "mtu", "" + TunRelay.PACKET, "txqueuelen", "10000", "up");
      relay.start();
      return new DelayedLink(relay);
    }
  }

  /** What makes the delay, for the report. */
  public String means() {
    return relay == null ? "tc netem on the loopback device" : "a relay of packets on a tun device";
  }

  /** The address that a server must bind to be reached over the link; it may be a wildcard. */
  public String bindAddress() {
    return relay == null ? "127.0.0.1" : "0.0.0.0";
  }

  /** The address by which that server is reached over the link. */
  public String remoteAddress() {
    return relay == null ? "127.0.0.1" : FAR_ADDRESS;
  }

  /** CPU seconds that making the delay took so far, where this process makes it. */
  public double cpuSeconds() {
    return relay == null ? 0 : relay.cpuSeconds();
  }

  @Override
  public void close() {
    if (relay != null) {
      relay.close();
    }
  }

  private static String run(String... command) throws IOException {
    return ShortProgram.run(
        new ProcessBuilder(command), said -> String.join(" ", command) + ": " + said);
  }
}
