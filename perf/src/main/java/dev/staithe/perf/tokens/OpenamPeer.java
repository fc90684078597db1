package dev.staithe.perf.tokens;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Accounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * OpenAM of the Open Identity Platform in Tomcat, with its embedded directory for everything, by
 * {@code perf/peers/openam}.
 */
public final class OpenamPeer implements TokenPeer {
  /** The name that it was configured with; only its own JVM can look it up. */
  private static final String HOST = "openam.perf.invalid";

  private static final String VERSION =
      "META-INF/maven/org.openidentityplatform.openam/openam-server/pom.properties";

  private final PeerScript script;

  /**
   * Makes one.
   *
   * @param repository the checkout, below which it was fetched
   */
  public OpenamPeer(Path repository) {
    script = new PeerScript(repository, "openam");
  }

  @Override
  public String name() {
    return "openam";
  }

  @Override
  public Readiness readiness() {
    Path war = script.store().resolve("openam");
    Path tomcats = script.store().resolve("openam-tomcat");
    if (!Files.isDirectory(war.resolve("WEB-INF")) || !Files.isDirectory(tomcats)) {
      return new Readiness.Missing("it was not fetched: run perf/peers/openam fetch");
    }
    try (Stream<Path> unpacked = Files.list(tomcats)) {
      String tomcat = unpacked.findFirst().map(each -> "" + each.getFileName()).orElse("no Tomcat");
      return new Readiness.Ready("OpenAM " + version(war.resolve(VERSION)) + " in " + tomcat);
    } catch (IOException e) {
      return new Readiness.Missing("perf/target/peers/openam-tomcat cannot be read");
    }
  }

  private static String version(Path file) {
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      return "of no known version";
    }
    return properties.getProperty("version", "of no known version");
  }

  @Override
  public TokenServer start(Path folder, Core core) throws IOException {
    Files.writeString(folder.resolve("accounts"), Accounts.USUAL.lines());
    ManagedProcess process = script.start(folder, 4, core);
    return new TokenServer(
        TokenProtocol.openam(),
        List.of("http://" + HOST + ":" + process.port(0) + "/openam"),
        List.of(process),
        "openam.war in Tomcat (embedded directory, salted SHA-1, -Xmx1536m)");
  }
}
