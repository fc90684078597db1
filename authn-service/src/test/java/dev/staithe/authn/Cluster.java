package dev.staithe.authn;

import dev.staithe.peers.HaproxyServer;
import dev.staithe.peers.PostgresServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Three nodes on one PostgreSQL, with the load balancer's configuration that we deliver in front:
 * it goes round, nothing sticks.
 */
final class Cluster implements AutoCloseable {
  static final String USER_PASSWORD = "correct horse battery";

  private static final int NODES = 3;
  private static final Path BALANCER = Path.of("../deploy/haproxy/authn.cfg");

  private final PostgresServer database;
  private final HaproxyServer balancer;
  private final List<AuthnProcess> nodes;
  private final RestClient front;

  private Cluster(
      PostgresServer database, HaproxyServer balancer, List<AuthnProcess> nodes, RestClient front) {
    this.database = database;
    this.balancer = balancer;
    this.nodes = nodes;
    this.front = front;
  }

  static Cluster start(Path folder, Map<String, Object> extra) {
    PostgresServer database = PostgresServer.start("max_connections = 200");
    int[] ports = IntStream.range(0, NODES).map(i -> FreePort.next()).toArray();
    HaproxyServer balancer = HaproxyServer.start(port -> configuration(port, ports));
    Map<String, Object> properties = new LinkedHashMap<>(of(database));
    properties.put("staithe.issuer", "http://localhost:" + balancer.port());
    properties.put("staithe.proxy.trusted", "127.0.0.1");
    properties.putAll(extra);
    List<AuthnProcess> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(AuthnProcess.begin(folder.resolve("node-" + i), ports[i], properties));
    }
    nodes.forEach(AuthnProcess::awaitUp);
    var front = new RestClient(URI.create("http://localhost:" + balancer.port() + "/"));
    Eventually.holds("the load balancer serves", front::isUp);
    return new Cluster(database, balancer, nodes, front);
  }

  /** Settings of a node that keeps everything in a database. */
  static Map<String, Object> of(PostgresServer database) {
    return Map.of(
        "staithe.database.url", database.url(),
        "staithe.database.user", database.user(),
        "staithe.database.password-file", database.passwordFile());
  }

  /** The delivered one, with our ports, and without TLS, which other tests have. */
  static String configuration(int port, int[] ports) {
    String text;
    try {
      text = Files.readString(BALANCER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    text =
        text.replaceFirst("(?m)^  bind .*$", "  bind 127.0.0.1:" + port)
            .replace("X-Forwarded-Proto https", "X-Forwarded-Proto http");
    for (int i = 0; i < ports.length; i++) {
      text = text.replace("authn-" + (i + 1) + ":8444", "127.0.0.1:" + ports[i]);
    }
    return text;
  }

  PostgresServer database() {
    return database;
  }

  /** By the load balancer: each request may come to another node. */
  RestClient front() {
    return front;
  }

  AuthnProcess node(int index) {
    return nodes.get(index);
  }

  List<AuthnProcess> nodes() {
    return nodes;
  }

  /** A session of the administrator, whose password the first of the nodes has printed. */
  String administrator() {
    Eventually.holds(
        "one of the nodes has printed a password",
        () -> nodes.stream().anyMatch(each -> each.log().contains("Administrator: admin")));
    AuthnProcess first =
        nodes.stream()
            .filter(each -> each.log().contains("Administrator: admin"))
            .findFirst()
            .orElseThrow();
    return front.login("admin", first.administratorPassword());
  }

  void user(String administrator, String name) {
    var answer =
        front.as(
            administrator,
            "POST",
            "admin/users",
            "{\"name\":\"%s\",\"password\":\"%s\"}".formatted(name, USER_PASSWORD));
    if (answer.statusCode() != 200) {
      throw new AssertionError("user: " + answer.statusCode() + " " + answer.body());
    }
  }

  @Override
  public void close() {
    nodes.forEach(AuthnProcess::close);
    front.close();
    balancer.close();
    database.close();
  }
}
