package dev.staithe.perf.peers;

import java.nio.file.Path;
import java.util.List;

/** The servers of the storage study. */
public final class StoragePeers {
  private StoragePeers() {}

  /**
   * Those that serve files, ours first.
   *
   * @param repository the checkout, in which our jars are built
   */
  public static List<Peer> of(Path repository) {
    return List.of(
        new StaithePeer(repository, StaithePeer.Variant.CONSCRYPT),
        new StaithePeer(repository, StaithePeer.Variant.JDK),
        new StaithePeer(repository, StaithePeer.Variant.PLAIN),
        new NginxPeer(),
        new ApachePeer(),
        new XrootdPeer(),
        new GridFtpPeer());
  }

  /**
   * Those whose start is compared: ours without configuration, and the least that its frameworks
   * can do.
   *
   * @param repository the checkout, in which our jars are built
   */
  public static List<Peer> toStart(Path repository) {
    return List.of(new DevelopmentStaithePeer(repository), new EmptyBootPeer(repository));
  }
}
