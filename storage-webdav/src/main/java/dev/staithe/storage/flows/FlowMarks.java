package dev.staithe.storage.flows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells collectors, and the other end of a flow, by fireflies when a flow begins, that it goes on,
 * and when it ends. Datagrams are given to the kernel without waiting, and dropped where it does
 * not take them: no transfer is ever delayed or ended by its marks. Safe for use by many threads.
 */
public final class FlowMarks implements AutoCloseable {
  /** Where data peers listen for fireflies (SciTags technical specification). */
  public static final int PEER_PORT = 10514;

  private static final Logger log = LoggerFactory.getLogger(FlowMarks.class);
  private static final Duration RESOLVED_AGAIN = Duration.ofMinutes(10);

  /** Marks nothing. */
  public static final FlowMarks OFF = new FlowMarks();

  /**
   * Who is told, and how often.
   *
   * @param collectors {@code host:port}; names are resolved at the start and every ten minutes
   * @param peerPort the UDP port of the other end that is told too, or 0
   * @param period between two fireflies of one flow, more than 0
   */
  public record Settings(List<String> collectors, int peerPort, Duration period) {
    /** Copies the list. */
    public Settings {
      collectors = List.copyOf(collectors);
    }
  }

  /** What is there only where flows are marked. */
  private record Sender(
      DatagramChannel channel,
      ScheduledThreadPoolExecutor schedule,
      Settings settings,
      Clock clock,
      String host) {}

  /** Asks for the address of a host; one that is unresolved where nobody can say now. */
  interface Names {
    InetSocketAddress address(String host, int port);
  }

  private final @Nullable Sender sender;
  private final Names names;

  /** By what the settings call them, as they were found last. */
  private volatile Map<String, InetSocketAddress> collectors = Map.of();

  private FlowMarks() {
    this.sender = null;
    this.names = InetSocketAddress::new;
  }

  /**
   * Opens a socket.
   *
   * @throws IOException where there is none to be had
   */
  public FlowMarks(Settings settings, Clock clock) throws IOException {
    this(settings, clock, InetSocketAddress::new);
  }

  FlowMarks(Settings settings, Clock clock, Names names) throws IOException {
    this.names = names;
    DatagramChannel channel = DatagramChannel.open();
    channel.configureBlocking(false);
    ScheduledThreadPoolExecutor schedule =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("flow-marks").factory());
    schedule.setRemoveOnCancelPolicy(true);
    // Transfers that outlive the marks go on without.
    schedule.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    this.sender = new Sender(channel, schedule, settings, clock, hostName());
    resolve(settings);
    schedule.scheduleWithFixedDelay(
        () -> resolve(settings),
        RESOLVED_AGAIN.toSeconds(),
        RESOLVED_AGAIN.toSeconds(),
        TimeUnit.SECONDS);
  }

  /** Tells that a flow begins; close what is returned when it ends. */
  public Mark begin(Flow flow) {
    Sender active = sender;
    return active == null ? Mark.NONE : new Mark(this, active, flow);
  }

  /** A flow that is marked, until it is closed. Never throws. */
  public static final class Mark implements AutoCloseable {
    /** Of a flow that nobody is told of. */
    public static final Mark NONE = new Mark();

    private final @Nullable Running running;

    private record Running(
        FlowMarks marks, Sender sender, Flow flow, Instant began, ScheduledFuture<?> again) {}

    private Mark() {
      running = null;
    }

    private Mark(FlowMarks marks, Sender sender, Flow flow) {
      Instant began = sender.clock().instant();
      marks.send(sender, flow, Firefly.State.START, began);
      long period = sender.settings().period().toNanos();
      ScheduledFuture<?> again =
          sender
              .schedule()
              .scheduleAtFixedRate(
                  () -> marks.send(sender, flow, Firefly.State.ONGOING, began),
                  period,
                  period,
                  TimeUnit.NANOSECONDS);
      running = new Running(marks, sender, flow, began, again);
    }

    /** Tells that the flow has ended; once only. */
    @Override
    public void close() {
      if (running != null) {
        running.again().cancel(false);
        running.marks().send(running.sender(), running.flow(), Firefly.State.END, running.began());
      }
    }
  }

  private void send(Sender by, Flow flow, Firefly.State state, Instant began) {
    try {
      ByteBuffer firefly = Firefly.of(flow, state, began, by.clock().instant(), by.host());
      for (InetSocketAddress collector : collectors.values()) {
        send(by, firefly, collector);
      }
      if (by.settings().peerPort() != 0) {
        send(
            by,
            firefly,
            new InetSocketAddress(flow.remote().getAddress(), by.settings().peerPort()));
      }
    } catch (RuntimeException e) {
      log.debug("a flow could not be marked", e);
    }
  }

  private static void send(Sender by, ByteBuffer firefly, InetSocketAddress to) {
    try {
      by.channel().send(firefly.duplicate(), to);
    } catch (IOException dropped) {
      log.debug("no firefly to {}: {}", to, dropped.getMessage());
    }
  }

  /** Asks for all collectors again; who cannot be found now is told where it was last. */
  void resolve(Settings settings) {
    Map<String, InetSocketAddress> found = new LinkedHashMap<>(collectors);
    for (String collector : settings.collectors()) {
      int colon = collector.lastIndexOf(':');
      InetSocketAddress address =
          names.address(
              collector.substring(0, colon).replaceAll("[\\[\\]]", ""),
              Integer.parseInt(collector.substring(colon + 1)));
      if (address.isUnresolved()) {
        log.warn("the name of the flow collector {} is not known now", collector);
      } else {
        found.put(collector, address);
      }
    }
    collectors = Map.copyOf(found);
  }

  private static String hostName() {
    try {
      // RFC 5424 section 6.2.4: printable ASCII.
      return InetAddress.getLocalHost().getHostName().replaceAll("[^\\x21-\\x7e]", "-");
    } catch (UnknownHostException nameless) {
      return "-";
    }
  }

  /** Flows that still run are not told of any more. */
  @Override
  public void close() throws IOException {
    Sender active = sender;
    if (active != null) {
      active.schedule().shutdownNow();
      active.channel().close();
    }
  }
}
