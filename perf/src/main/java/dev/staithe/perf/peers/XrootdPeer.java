package dev.staithe.perf.peers;

import dev.staithe.peers.Core;
import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.Readiness;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.XrootdServer;
import java.io.IOException;
import java.nio.file.Path;

/** XRootD with both schemes at one door. Checksums are computed when somebody asks for one. */
public final class XrootdPeer implements Peer {
  @Override
  public String name() {
    return "xrootd";
  }

  @Override
  public Readiness readiness() {
    return XrootdServer.readiness();
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    place.give(site.host());
    ManagedProcess process = XrootdServer.start(place, core);
    return RunningPeer.await(
        process,
        process.port(XrootdServer.HTTP),
        process.port(XrootdServer.HTTP),
        "/",
        site,
        place.data(),
        "xrootd -c xrootd.cfg (HTTP door with libXrdHttpTPC, adler32 when asked for, connections"
            + " logged)");
  }
}
