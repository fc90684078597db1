package dev.staithe.peers;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.Listening;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The web interface of an ARC computing element (A-REX), as Debian packages it: takes delegations
 * by REST, by GridSite's SOAP of version 2.0 and by ARC's own, from clients with a certificate or a
 * proxy. It runs no jobs. Needs root, as it does for its jobs.
 */
public final class ArexServer implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Path folder;
  private final int port;
  private final ManagedProcess process;

  private ArexServer(Path folder, int port, ManagedProcess process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param host what it shows for {@code localhost}
   * @param trust a folder of trust anchors, of its clients
   * @throws AssertionError where it does not start, with what it has said
   */
  public static ArexServer start(HostFiles host, Path trust) {
    String arched = Program.ARCHED.path();
    try {
      Path folder = Files.createTempDirectory("arex");
      Files.copy(host.certificate(), folder.resolve("host.pem"));
      Path key = Files.copy(host.key(), folder.resolve("host-key.pem"));
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
      for (String each : List.of("control", "session", "log")) {
        Files.createDirectory(folder.resolve(each));
      }
      int port = Listening.freePorts(1).getFirst();
      String url = "https://localhost:" + port + "/arex";
      Path settings =
          Files.writeString(folder.resolve("arc.conf"), SETTINGS.formatted(folder, url, trust));
      Path read = folder.resolve("read.conf");
      try (ManagedProcess parser =
          ManagedProcess.start(
              List.of(
                  "/usr/lib/arc/arcconfig-parser",
                  "--config",
                  settings.toString(),
                  "--runconfig",
                  read.toString(),
                  "--save"),
              Map.of(),
              folder.resolve("parser"))) {
        if (parser.awaitEnd(LONGEST) != 0) {
          throw new AssertionError(parser.output());
        }
      }
      Path chain =
          Files.writeString(
              folder.resolve("arex.xml"), CHAIN.formatted(folder, port, trust, read, url));
      ManagedProcess process =
          ManagedProcess.start(
              List.of(arched, "-f", "-c", chain.toString()),
              Map.of("X509_CERT_DIR", trust.toString()),
              folder.resolve("output"));
      process.awaitPort(port, LONGEST);
      return new ArexServer(folder, port, process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final String SETTINGS =
      """
      [common]
      hostname=localhost
      x509_host_key=%1$s/host-key.pem
      x509_host_cert=%1$s/host.pem
      x509_cert_dir=%3$s
      [authgroup: all]
      all=yes
      [mapping]
      map_to_user=all nobody:nogroup
      [arex]
      controldir=%1$s/control
      sessiondir=%1$s/session
      logfile=%1$s/log/arex.log
      pidfile=%1$s/arex.pid
      delegationdb=sqlite
      [arex/ws]
      wsurl=%2$s
      logfile=%1$s/log/ws.log
      pidfile=%1$s/ws.pid
      [arex/ws/jobs]
      allowaccess=all
      [lrms]
      lrms=fork
      [infosys]
      [infosys/cluster]
      [queue: fork]
      """;

  /** As Debian's script for its start writes it, but on loopback only. */
  private static final String CHAIN =
      """
      <?xml version="1.0"?>
      <ArcConfig xmlns="http://www.nordugrid.org/schemas/ArcConfig/2007"
          xmlns:tcp="http://www.nordugrid.org/schemas/ArcMCCTCP/2007"
          xmlns:arex="http://www.nordugrid.org/schemas/a-rex/Config">
        <Server>
          <PidFile>%1$s/ws.pid</PidFile>
          <Logger><File>%1$s/log/ws.log</File><Level>VERBOSE</Level></Logger>
        </Server>
        <ModuleManager><Path>/usr/lib/arc/</Path></ModuleManager>
        <Plugins><Name>mcctcp</Name></Plugins>
        <Plugins><Name>mcctls</Name></Plugins>
        <Plugins><Name>mcchttp</Name></Plugins>
        <Plugins><Name>mccsoap</Name></Plugins>
        <Plugins><Name>arex</Name></Plugins>
        <Plugins><Name>identitymap</Name></Plugins>
        <Plugins><Name>arcshc</Name></Plugins>
        <Plugins><Name>arcshclegacy</Name></Plugins>
        <Chain>
          <Component name="tcp.service" id="tcp">
            <next id="tls"/>
            <tcp:Listen><tcp:Interface>127.0.0.1</tcp:Interface><tcp:Port>%2$d</tcp:Port></tcp:Listen>
          </Component>
          <Component name="tls.service" id="tls">
            <next id="http"/>
            <KeyPath>%1$s/host-key.pem</KeyPath>
            <CertificatePath>%1$s/host.pem</CertificatePath>
            <CACertificatesDir PolicyGlobus="true">%3$s</CACertificatesDir>
            <VOMSProcessing>standard</VOMSProcessing>
            <ClientAuthn>false</ClientAuthn>
          </Component>
          <Component name="http.service" id="http">
            <next id="soap">POST</next>
            <next id="plexer"/>
            <SecHandler name="arclegacy.handler" event="incoming">
              <ConfigFile>%4$s</ConfigFile>
            </SecHandler>
          </Component>
          <Component name="soap.service" id="soap">
            <next id="plexer"/>
            <ContinueNonSOAP>true</ContinueNonSOAP>
          </Component>
          <Plexer name="plexer.service" id="plexer"><next id="a-rex">^/arex</next></Plexer>
          <Service name="a-rex" id="a-rex">
            <SecHandler name="arclegacy.map" event="incoming">
              <ConfigBlock><ConfigFile>%4$s</ConfigFile><BlockName>mapping</BlockName></ConfigBlock>
            </SecHandler>
            <arex:endpoint>%5$s</arex:endpoint>
            <arex:gmconfig>%4$s</arex:gmconfig>
            <arex:gmrun>none</arex:gmrun>
          </Service>
        </Chain>
      </ArcConfig>
      """;

  /** The computing element's address. */
  public URI url() {
    return URI.create("https://localhost:" + port + "/arex");
  }

  /** What it complained of, and what it was asked. */
  public String log() {
    try {
      return process.output() + Files.readString(folder.resolve("log/ws.log"));
    } catch (IOException none) {
      return process.output();
    }
  }

  /** Ends it and deletes its folder. */
  @Override
  public void close() {
    process.close();
    Folders.delete(folder);
  }
}
