package dev.staithe.storage.remote;

import dev.staithe.http.HttpSocket;
import dev.staithe.http.TcpSocket;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the kernel sends what copies send: by area, and by the host that a client names, which goes
 * before. Of a pull that is requests only; its pace is the source's. Safe for use by many threads.
 *
 * @param areas by name
 * @param hosts by name in lower case, without port
 */
public record CopyTuning(Map<String, Sending> areas, Map<String, Sending> hosts) {
  /** As the kernel does by itself. */
  public static final CopyTuning NONE = new CopyTuning(Map.of(), Map.of());

  private static final Logger log = LoggerFactory.getLogger(CopyTuning.class);

  /**
   * How one connection sends.
   *
   * @param congestionControl the kernel's name of an algorithm; empty: its default
   * @param pacing bytes a second at most; 0: no limit
   */
  public record Sending(String congestionControl, long pacing) {
    /** As the kernel does by itself. */
    public static final Sending USUAL = new Sending("", 0);

    private Sending before(Sending other) {
      return new Sending(
          congestionControl.isEmpty() ? other.congestionControl : congestionControl,
          pacing == 0 ? other.pacing : pacing);
    }
  }

  /** Copies the maps. */
  public CopyTuning {
    areas = Map.copyOf(areas);
    hosts = Map.copyOf(hosts);
  }

  /** What counts for copies of that area with that host. */
  public Sending of(String area, String host) {
    return hosts.getOrDefault(host, Sending.USUAL).before(areas.getOrDefault(area, Sending.USUAL));
  }

  /** Tells the kernel; a copy goes on where it refuses. */
  static void apply(Sending sending, HttpSocket socket) {
    InetSocketAddress local = socket.local();
    InetSocketAddress remote = socket.remote();
    if (sending.equals(Sending.USUAL) || local == null || remote == null) {
      return;
    }
    Optional<TcpSocket> found = TcpSocket.find(local, remote);
    String name = sending.congestionControl();
    if (!name.isEmpty() && !found.map(tcp -> tcp.congestionControl(name)).orElse(false)) {
      log.warn("the kernel did not take the congestion control {} for {}", name, remote);
    }
    if (sending.pacing() > 0 && !found.map(tcp -> tcp.pacing(sending.pacing())).orElse(false)) {
      log.warn("the kernel did not take a limit of {} B/s for {}", sending.pacing(), remote);
    }
  }
}
