package dev.staithe.perf.peers;

import dev.staithe.peers.HaproxyServer;
import dev.staithe.peers.ServerFolder;
import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * HAProxy with one thread in front of the nodes of a {@link TokenServer}: at one port in turn, at
 * another by a header, so that all requests of a user reach the same node. Not thread-safe.
 */
public final class LoadBalancer extends SingleProcess {
  /** The header that names the user. */
  public static final String USER = "X-Perf-User";

  private LoadBalancer(ManagedProcess process) {
    super(process, "haproxy -db (one thread)");
  }

  /** Whether it can be started here. */
  public static Readiness readiness() {
    return Program.HAPROXY.readiness("-v");
  }

  /**
   * Starts one.
   *
   * @param folder an empty folder of its own
   * @param nodes addresses without a path
   * @throws IOException where it does not start, in one line
   */
  public static LoadBalancer start(Path folder, Core core, List<String> nodes) throws IOException {
    ManagedProcess process =
        HaproxyServer.start(ServerFolder.in(folder), core, 2, ports -> configuration(ports, nodes));
    return new LoadBalancer(process);
  }

  /** Where requests go to the nodes in turn. */
  public String inTurn() {
    return "http://127.0.0.1:" + process().port(0);
  }

  /** Where the header {@link #USER} chooses the node. */
  public String byUser() {
    return "http://127.0.0.1:" + process().port(1);
  }

  /** Its settings: each port is a front of all nodes. */
  public static String configuration(List<Integer> ports, List<String> nodes) {
    var text =
        new StringBuilder(
            """
            global
              nbthread 1
              maxconn 4000
            defaults
              mode http
              timeout connect 5s
              timeout client 10m
              timeout server 10m
              timeout http-keep-alive 10m
              http-reuse always
            """);
    String[] names = {"in-turn", "by-user"};
    String[] choices = {"balance roundrobin", "balance hdr(" + USER + ")"};
    for (int i = 0; i < names.length; i++) {
      text.append(
          """
          listen %s
            bind 127.0.0.1:%d
            %s
          """
              .formatted(names[i], ports.get(i), choices[i]));
      for (int node = 0; node < nodes.size(); node++) {
        text.append("  server node%d %s\n".formatted(node, nodes.get(node).replace("http://", "")));
      }
    }
    return text.toString();
  }
}
