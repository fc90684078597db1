package dev.staithe.perf.peers;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * XRootD with its HTTP door and third-party copy. One port takes both schemes: it tells TLS by the
 * first byte. It has no authorization; {@code Credential: none} must be sent with its COPY.
 * Checksums are computed when somebody asks for one, not on upload.
 *
 * <p>It has no setting for the address to listen at and is reachable from the network as long as it
 * runs. Its folder's path must be short, because it makes sockets there, whose paths may not have
 * more than 107 bytes.
 */
public final class XrootdPeer implements Peer {
  private static final String CONFIGURATION =
      """
      all.export /
      oss.localroot @/data
      all.adminpath @/run
      all.pidpath @/run
      xrd.port %1$d
      xrd.protocol http:%2$d libXrdHttp.so
      xrd.tls @/host.pem @/host-key.pem
      xrd.tlsca certfile @/ca.pem
      http.exthandler xrdtpc libXrdHttpTPC.so
      xrootd.chksum max 2 adler32 md5
      """;

  private static final String THIRD_PARTY_COPY = "libXrdHttpTPC";
  private static final List<Path> LIBRARIES =
      List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

  @Override
  public String name() {
    return "xrootd";
  }

  @Override
  public Readiness readiness() {
    return hasThirdPartyCopy()
        ? Program.XROOTD.readiness("-v")
        : new Readiness.Missing(
            Program.XROOTD.find().isEmpty()
                ? Program.XROOTD.missing().reason()
                : THIRD_PARTY_COPY
                    + " is missing: install the Debian package xrootd-server-plugins");
  }

  private static boolean hasThirdPartyCopy() {
    for (Path libraries : LIBRARIES) {
      // Debian has a folder for each architecture.
      try (Stream<Path> found =
          Files.find(
              libraries,
              2,
              (path, about) -> path.getFileName().toString().startsWith(THIRD_PARTY_COPY))) {
        if (found.findAny().isPresent()) {
          return true;
        }
      } catch (IOException e) {
        // There is no such folder.
      }
    }
    return false;
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    ServerFolder place = ServerFolder.in(folder);
    place.giveCredential(site);
    String program = Program.XROOTD.path();
    ManagedProcess process =
        place.start(
            name(),
            core,
            "xrootd.cfg",
            2,
            ports -> CONFIGURATION.formatted(ports.get(0), ports.get(1)),
            file -> List.of(program, "-c", file, "-w", place.path() + "/run"));
    return RunningPeer.await(
        process,
        Map.of(
            Door.HTTP, URI.create("http://localhost:%d/".formatted(process.port(1))),
            Door.HTTPS, URI.create("https://localhost:%d/".formatted(process.port(1)))),
        "/",
        site.authority(),
        place.data(),
        "",
        "xrootd -c xrootd.cfg (HTTP door with libXrdHttpTPC, adler32 when asked for, connections"
            + " logged)");
  }
}
