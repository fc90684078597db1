package dev.staithe.storage.flows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A datagram that tells of a flow: firefly version 1 of the SciTags technical specification, JSON
 * in a syslog line (RFC 5424). It has numbers, times and addresses; nothing in it is a client's
 * text.
 */
final class Firefly {
  private static final String APPLICATION = "staithe-storage";

  /** Facility local0, severity informational (RFC 5424 section 6.2.1). */
  private static final String PRIORITY_AND_VERSION = "<134>1 ";

  /** When in the life of a flow. */
  enum State {
    START("start"),
    ONGOING("ongoing"),
    END("end");

    private final String label;

    State(String label) {
      this.label = label;
    }
  }

  private Firefly() {}

  /**
   * Makes the datagram.
   *
   * @param host our name, in the syslog line
   */
  static ByteBuffer of(Flow flow, State state, Instant began, Instant now, String host) {
    String json =
        "{\"version\":1,\"flow-lifecycle\":{\"state\":\""
            + state.label
            + "\",\"start-time\":\""
            + time(began)
            + "\",\"current-time\":\""
            + time(now)
            + (state == State.END ? "\",\"end-time\":\"" + time(now) : "")
            + "\"},\"usage\":{\"received\":"
            + flow.received().getAsLong()
            + ",\"sent\":"
            + flow.sent().getAsLong()
            + "},\"context\":{\"experiment-id\":"
            + flow.tag().experiment()
            + ",\"activity-id\":"
            + flow.tag().activity()
            + ",\"application\":\""
            + APPLICATION
            + "\"},\"flow-id\":{\"afi\":\""
            + (flow.source().getAddress().getAddress().length == 4 ? "ipv4" : "ipv6")
            + "\",\"src-ip\":\""
            + address(flow.source())
            + "\",\"dst-ip\":\""
            + address(flow.destination())
            + "\",\"protocol\":\"tcp\",\"src-port\":"
            + flow.source().getPort()
            + ",\"dst-port\":"
            + flow.destination().getPort()
            + "}}";
    String line =
        PRIORITY_AND_VERSION
            + time(now)
            + ' '
            + host
            + ' '
            + APPLICATION
            + " - firefly-json - "
            + json;
    return ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String address(InetSocketAddress end) {
    @Nullable InetAddress address = end.getAddress();
    String text = address == null ? "" : address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
