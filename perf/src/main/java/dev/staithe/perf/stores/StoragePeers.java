package dev.staithe.perf.stores;

import dev.staithe.perf.peers.Peer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The servers of the storage study. */
public final class StoragePeers {
  /** Ours of another checkout. */
  public static final String BEFORE = "staithe-before";

  /** Ours that answers before anything is on the disk, as most others do. */
  public static final String UNSYNCED = "staithe-unsynced";

  /** Ours with a policy of 10,000 rules. */
  public static final String RULED = "staithe-ruled";

  /** Ours with HTTP/2 beside HTTP/1.1. */
  public static final String HTTP2 = "staithe-http2";

  private static final List<String> SERVICES =
      List.of(
          "storage-webdav", "authn-service", "slcs-service", "delegation-service", "xml-gateway");

  private StoragePeers() {}

  /**
   * Those that serve files, ours first.
   *
   * @param repository the checkout, in which our jars are built
   * @param before another one, in which they are built; empty for none
   */
  public static List<Peer> of(Path repository, Optional<Path> before) {
    List<Peer> all =
        new ArrayList<>(
            List.of(
                new StaithePeer(repository, StaithePeer.Variant.CONSCRYPT),
                new StaithePeer(repository, StaithePeer.Variant.JDK),
                new StaithePeer(repository, StaithePeer.Variant.PLAIN),
                new StaithePeer(repository, StaithePeer.Variant.UNSYNCED),
                new StaithePeer(repository, StaithePeer.Variant.RULED),
                new StaithePeer(
                    repository, StaithePeer.Variant.CONSCRYPT, HTTP2, "staithe.http2: true"),
                new FloorPeer(repository),
                new NginxPeer(),
                new ApachePeer(),
                new XrootdPeer(),
                new GridFtpPeer()));
    before.ifPresent(
        checkout -> all.add(new StaithePeer(checkout, StaithePeer.Variant.CONSCRYPT, BEFORE, "")));
    return all;
  }

  /**
   * Those whose start is compared: ours without configuration, and the least that its frameworks
   * can do.
   *
   * @param repository the checkout, in which our jars are built
   */
  public static List<Peer> toStart(Path repository) {
    return List.of(DevelopmentPeer.storage(repository), DevelopmentPeer.emptyBoot(repository));
  }

  /**
   * Every service, each with its cache of classes.
   *
   * @param repository the checkout, in which our jars are built
   */
  public static List<Peer> toStartCached(Path repository) {
    return SERVICES.stream()
        .<Peer>map(module -> DevelopmentPeer.cached(repository, module))
        .toList();
  }
}
