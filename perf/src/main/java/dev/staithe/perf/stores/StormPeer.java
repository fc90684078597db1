package dev.staithe.perf.stores;

import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.FirstAnswer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * StoRM WebDAV, by the jar that somebody has: no registry has it. It is told what its documentation
 * says (doc/storage-area-configuration.md, etc/systemd/…/storm-webdav.conf and
 * etc/storm-webdav/config of its sources, version 1.11): variables of its environment, a file for
 * its storage area, a policy that lets everybody do everything, as other peers do, and Conscrypt,
 * which it recommends for fast transfers. Its heap is its documented one. As ours it runs as the
 * user of this JVM, by the same Java.
 */
public final class StormPeer extends FilePeer {
  /** As results name it. */
  public static final String NAME = "storm";

  private static final String SERVICE = "org.italiangrid.storm.webdav.WebdavService";
  private static final String PATH = "/data/";
  private static final String READY = "ready";
  private static final List<String> JAVA_OPTIONS = List.of("-Xms1024m", "-Xmx1024m");

  private static final String AREA =
      """
      name=data
      rootPath=@/data
      accessPoints=/data
      anonymousReadEnabled=true
      fineGrainedAuthzEnabled=true
      """;

  private static final String POLICY =
      """
      oauth:
        issuers: []
      storm:
        authz:
          enable-fine-grained-authz: true
          policies:
            - sa: data
              actions:
                - all
              effect: permit
              description: Everybody may do everything, as with the other peers
              principals:
                - type: anyone
      """;

  private static final String ACCESS_LOG =
      """
      <configuration>
        <appender name="FILE" class="ch.qos.logback.core.FileAppender">
          <file>@/access.log</file>
          <encoder>
            <pattern>%h %l %u %date "%r" %s %b %D</pattern>
          </encoder>
        </appender>
        <appender-ref ref="FILE"/>
      </configuration>
      """;

  private final @Nullable Path jar;

  /**
   * @param jar null where nobody has given one: it takes no part then
   */
  public StormPeer(@Nullable Path jar) {
    super(
        NAME,
        0,
        1,
        PATH,
        ("java %s -jar storm-webdav-server.jar (Conscrypt, TLS 1.3 for copies, access log on,"
                + " adler32 on upload, everybody may do everything)")
            .formatted(String.join(" ", JAVA_OPTIONS)));
    this.jar = jar;
  }

  /**
   * Looks whether a file is its jar.
   *
   * @return its version
   * @throws IOException in one line, where it is not
   */
  public static String version(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      throw new IOException("--storm: there is no file " + jar);
    }
    Attributes main;
    try (var file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      main = manifest == null ? new Attributes() : manifest.getMainAttributes();
    } catch (IOException e) {
      throw new IOException("--storm: %s is no jar: %s".formatted(jar, e.getMessage()), e);
    }
    if (!SERVICE.equals(main.getValue("Start-Class"))) {
      throw new IOException(
          "--storm: %s is not StoRM WebDAV: its manifest has no Start-Class: %s"
              .formatted(jar, SERVICE));
    }
    String version = main.getValue("Implementation-Version");
    return "StoRM WebDAV " + (version == null ? "of no version" : version);
  }

  @Override
  public Readiness readiness() {
    if (jar == null) {
      return new Readiness.Missing("its jar is in no registry: --storm JAR takes yours");
    }
    try {
      return new Readiness.Ready(version(jar) + ", Java " + Runtime.version());
    } catch (IOException e) {
      return new Readiness.Missing("" + e.getMessage());
    }
  }

  @Override
  ManagedProcess start(ServerFolder place, Core core) throws IOException {
    if (jar == null) {
      throw new IOException("StoRM WebDAV has no jar");
    }
    configure(place);
    ManagedProcess process =
        ManagedProcess.start(NAME, place.path(), 2, core, ports -> command(place, jar, ports));
    try {
      for (String address :
          List.of("http://localhost:" + process.port(0), "https://localhost:" + process.port(1))) {
        URI asked = URI.create(address + PATH + READY);
        process.await("serve " + asked, () -> serves(asked, place.path().resolve("ca.pem")));
      }
      return process;
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  private static boolean serves(URI asked, Path authority) {
    try {
      return FirstAnswer.fetched(asked, authority).equals(READY);
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes its files: it finds {@code config/application.yml} in its working folder. */
  static void configure(ServerFolder place) throws IOException {
    for (String folder : List.of("sa.d", "config", "trust", "vomsdir")) {
      Files.createDirectory(place.path().resolve(folder));
    }
    place.write("sa.d/data.properties", AREA);
    place.write("config/application.yml", POLICY);
    place.write("logback-access.xml", ACCESS_LOG);
    Path authority = place.path().resolve("ca.pem");
    // As canl looks for it, by OpenSSL's present hash of its name or by that of before 1.0.
    for (String hash : List.of("-subject_hash", "-subject_hash_old")) {
      Files.copy(authority, place.path().resolve("trust").resolve(hashed(authority, hash) + ".0"));
    }
    Files.writeString(place.data().resolve(READY), READY);
  }

  private static String hashed(Path certificate, String option) throws IOException {
    Program.Ran ran =
        Program.OPENSSL.run(
            List.of("x509", "-noout", option, "-in", "" + certificate),
            Map.of(),
            new byte[0],
            Duration.ofMinutes(1));
    if (ran.exitCode() != 0) {
      throw new IOException("openssl x509 " + option + ": " + ran.errors().strip());
    }
    return new String(ran.output(), StandardCharsets.US_ASCII).strip();
  }

  /** Its command, with what it is told by its environment. */
  static List<String> command(ServerFolder place, Path jar, List<Integer> ports) {
    Path folder = place.path();
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "STORM_WEBDAV_SERVER_ADDRESS=127.0.0.1",
                "STORM_WEBDAV_HOSTNAME_0=localhost",
                "STORM_WEBDAV_HTTP_PORT=" + ports.get(0),
                "STORM_WEBDAV_HTTPS_PORT=" + ports.get(1),
                "STORM_WEBDAV_CERTIFICATE_PATH=" + folder.resolve("host.pem"),
                "STORM_WEBDAV_PRIVATE_KEY_PATH=" + folder.resolve("host-key.pem"),
                "STORM_WEBDAV_TRUST_ANCHORS_DIR=" + folder.resolve("trust"),
                "STORM_WEBDAV_VOMS_TRUST_STORE_DIR=" + folder.resolve("vomsdir"),
                "STORM_WEBDAV_SA_CONFIG_DIR=" + folder.resolve("sa.d"),
                "STORM_WEBDAV_ACCESS_LOG_CONFIGURATION=" + folder.resolve("logback-access.xml"),
                "STORM_WEBDAV_REQUIRE_CLIENT_CERT=false",
                "STORM_WEBDAV_USE_CONSCRYPT=true",
                "STORM_WEBDAV_TPC_USE_CONSCRYPT=true",
                "STORM_WEBDAV_TPC_TLS_PROTOCOL=TLSv1.3",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(JAVA_OPTIONS);
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }
}
