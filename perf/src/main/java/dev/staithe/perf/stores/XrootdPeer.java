package dev.staithe.perf.stores;

import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.XrootdServer;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;

/** XRootD with both schemes at one door. Checksums are computed when somebody asks for one. */
public final class XrootdPeer extends FilePeer {
  /** Makes one. */
  public XrootdPeer() {
    super(
        "xrootd",
        XrootdServer.HTTP,
        XrootdServer.HTTP,
        "/",
        "xrootd -c xrootd.cfg (HTTP door with libXrdHttpTPC, adler32 when asked for, connections"
            + " logged)");
  }

  @Override
  public Readiness readiness() {
    return XrootdServer.readiness();
  }

  @Override
  ManagedProcess start(ServerFolder place, Core core) throws IOException {
    return XrootdServer.start(place, core);
  }
}
