package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.peers.HaproxyServer;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the delivered balancer makes of nodes that end in the middle of a request. */
final class BalancerIT {
  private final List<HttpServer> nodes = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();

  /** Nodes that say that they are ready, and end without an answer to anything else. */
  private int[] dyingNodes() throws IOException {
    int[] ports = new int[3];
    for (int i = 0; i < ports.length; i++) {
      HttpServer node =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      node.createContext(
          "/",
          exchange -> {
            if (exchange.getRequestURI().getPath().startsWith("/.staithe/health")) {
              exchange.sendResponseHeaders(200, -1);
            } else {
              exchange.getRequestBody().readAllBytes();
              asked.incrementAndGet();
            }
            exchange.close();
          });
      node.start();
      nodes.add(node);
      ports[i] = node.getAddress().getPort();
    }
    return ports;
  }

  @AfterEach
  void stop() {
    nodes.forEach(node -> node.stop(0));
  }

  @Test
  void whatMayNotBeDoneTwiceIsAskedOfOneNodeOnly() throws IOException {
    int[] ports = dyingNodes();
    try (var balancer = HaproxyServer.start(port -> Cluster.configuration(port, ports));
        var client = new RestClient(URI.create("http://localhost:" + balancer.port() + "/"))) {
      Eventually.holds("the load balancer serves", client::isUp);

      assertThat(post(balancer.port(), "/oauth2/token")).startsWith("HTTP/1.1 502 ");
      assertThat(asked).hasValue(1);

      asked.set(0);
      assertThat(post(balancer.port(), "/json/sessions?_action=validate"))
          .startsWith("HTTP/1.1 502 ");
      assertThat(asked).hasValueGreaterThan(1);
    }
  }

  /** Else a few of them would hold all connections that it may have. */
  @Test
  void whoSendsItsHeadLetterByLetterIsEnded() throws IOException {
    int[] ports = dyingNodes();
    try (var balancer =
            HaproxyServer.start(
                port ->
                    Cluster.configuration(port, ports)
                        .replace("timeout http-request 30s", "timeout http-request 2s"));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), balancer.port())) {
      socket.setSoTimeout(200);
      socket.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
      int answer = 0;
      for (int i = 0; i < 100 && answer == 0; i++) {
        socket.getOutputStream().write('x');
        answer = firstByte(socket);
      }
      assertThat((char) answer).as("the begin of HTTP/1.0 408").isEqualTo('H');
    }
  }

  /** 0 where nothing has come yet. */
  private static int firstByte(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketTimeoutException nothingYet) {
      return 0;
    }
  }

  /** Head and body at once, as curl sends them: only what it has whole HAProxy can repeat. */
  private static String post(int port, String path) throws IOException {
    String request =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
            .formatted(path);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
