package dev.staithe.perf.stores;

import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The Globus GridFTP server, anonymous and unencrypted, its client is {@code globus-url-copy}. It
 * forks for each connection and waits for these children, so that their CPU time becomes its own
 * when they end.
 */
public final class GridFtpPeer implements Peer {
  @Override
  public String name() {
    return "gridftp";
  }

  /** Missing where its client is missing as well: nothing else speaks to it. */
  @Override
  public Readiness readiness() {
    return Program.GLOBUS_URL_COPY.find().isEmpty()
        ? Program.GLOBUS_URL_COPY.missing(Program.GLOBUS_URL_COPY.name())
        : Program.GRIDFTP_SERVER.readiness("-v");
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    String program = Program.GRIDFTP_SERVER.path();
    ManagedProcess process =
        ManagedProcess.start(
            name(),
            place.path(),
            1,
            core,
            ports ->
                place.command(
                    List.of(
                        program,
                        "-daemon", // forks for connections, but does not detach itself
                        "-c",
                        ManagedProcess.NOTHING.toString(), // else /etc/gridftp.conf
                        "-p",
                        ports.getFirst().toString(),
                        "-control-interface",
                        "127.0.0.1",
                        "-data-interface",
                        "127.0.0.1",
                        "-aa",
                        "-anonymous-user",
                        place.user(),
                        "-auth-level",
                        "0")));
    return RunningPeer.await(
        process,
        Map.of(
            Door.FTP, URI.create("ftp://127.0.0.1:%d%s/".formatted(process.port(0), place.data()))),
        "/",
        site.authority(),
        place.data(),
        "",
        "globus-gridftp-server -daemon -aa -auth-level 0 (unencrypted, one process for each"
            + " connection, error log on)");
  }
}
