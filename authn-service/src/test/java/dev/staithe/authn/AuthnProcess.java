package dev.staithe.authn;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node started from the released jar, which can be killed and started again at the same port.
 * Needs {@code mvn package}.
 */
final class AuthnProcess implements AutoCloseable {
  static final Path JAR = Path.of("target/authn-service.jar");

  private static final Pattern PASSWORD = Pattern.compile("Administrator: admin, password: (\\S+)");

  private final Path folder;
  private final int port;
  private final Map<String, Object> properties;
  private final RestClient rest;
  private ManagedProcess process;

  private AuthnProcess(Path folder, int port, Map<String, Object> properties) {
    this.folder = folder;
    this.port = port;
    this.properties = properties;
    this.rest = new RestClient(URI.create("http://localhost:" + port + "/"));
    this.process = launch();
  }

  /** Begins to start one; {@link #awaitUp} waits for it. */
  static AuthnProcess begin(Path folder, int port, Map<String, Object> extra) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("server.port", port);
    properties.put("server.address", "127.0.0.1");
    properties.put("staithe.issuer", "http://localhost:" + port);
    properties.put("staithe.state", folder.resolve("state"));
    properties.put("staithe.tls.enabled", false);
    properties.put("staithe.audit-log.file", folder.resolve("audit.log"));
    properties.put("staithe.access-log.file", folder.resolve("access.log"));
    properties.put("staithe.login.attempts-per-second", 0);
    properties.put("staithe.login.hash", "paper");
    properties.putAll(extra);
    return new AuthnProcess(folder, port, properties);
  }

  static AuthnProcess start(Path folder, Map<String, Object> extra) {
    return begin(folder, FreePort.next(), extra).awaitUp();
  }

  /** What starts the jar with these settings. */
  static List<String> command(Map<String, Object> properties) {
    List<String> arguments =
        properties.entrySet().stream()
            .map(each -> "--" + each.getKey() + "=" + each.getValue())
            .toList();
    // A small heap, for several nodes beside each other.
    return ReleasedJar.command(JAR, arguments, "-Xmx192m");
  }

  private ManagedProcess launch() {
    return ManagedProcess.start(
        command(properties), Map.of("LC_ALL", "C.UTF-8"), folder.resolve("authn.log"));
  }

  AuthnProcess awaitUp() {
    process.awaitPort(port, Eventually.LONGEST);
    Eventually.holds("the node is up", rest::isUp);
    return this;
  }

  RestClient rest() {
    return rest;
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  String log() {
    return process.output();
  }

  /** The administrator's password, where this node was the first of all. */
  String administratorPassword() {
    Eventually.holds("a password was printed", () -> PASSWORD.matcher(log()).find());
    Matcher found = PASSWORD.matcher(log());
    if (!found.find()) {
      throw new AssertionError("no password");
    }
    return found.group(1);
  }

  /** As {@code kill -9} does. */
  void kill() {
    process.kill();
    process.close();
  }

  /** Begins to start it again with what it had. */
  AuthnProcess restart() {
    process = launch();
    return this;
  }

  @Override
  public void close() {
    process.close();
    rest.close();
  }
}
