package dev.staithe.perf.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A session service of several nodes that does what the interface says and nothing else: a logout
 * is known at the node that hears it at once, and at the others after a lag.
 */
public final class TestSessionService implements AutoCloseable {
  public static final String PASSWORD = "right";

  private final List<HttpServer> nodes = new ArrayList<>();
  private final List<Set<String>> known = new ArrayList<>();
  private final ScheduledExecutorService news = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger sessions = new AtomicInteger();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
  private final long lagMillis;

  /** How many logins are refused with 503 before the first that is not. */
  public final AtomicInteger busy = new AtomicInteger();

  /** How long a validation takes. */
  public volatile long validationNanos;

  /** Whether each answer is the last on its connection. */
  public volatile boolean closes;

  public TestSessionService(int count, long lagMillis) throws IOException {
    this.lagMillis = lagMillis;
    for (int i = 0; i < count; i++) {
      Set<String> tokens = ConcurrentHashMap.newKeySet();
      known.add(tokens);
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/json/", exchange -> answer(exchange, tokens));
      server.start();
      nodes.add(server);
    }
  }

  public List<String> urls() {
    return nodes.stream().map(node -> "http://127.0.0.1:" + node.getAddress().getPort()).toList();
  }

  public Queue<String> asked() {
    return asked;
  }

  public int connections() {
    return connections.size();
  }

  private void answer(HttpExchange exchange, Set<String> here) throws IOException {
    try (exchange) {
      connections.add(exchange.getRemoteAddress().getPort());
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = "" + exchange.getRequestURI();
      String token = exchange.getRequestHeaders().getFirst("iPlanetDirectoryPro");
      asked.add(path + " " + token + " " + body);
      if (closes) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      switch (path) {
        case "/json/authenticate" -> login(exchange);
        case "/json/sessions?_action=validate" -> {
          if (validationNanos > 0) {
            LockSupport.parkNanos(validationNanos); // the service's own time
          }
          send(exchange, 200, "{\"valid\":" + (token != null && here.contains(token)) + "}");
        }
        case "/json/sessions?_action=logout" -> {
          boolean was = token != null && here.remove(token);
          known.forEach(
              each ->
                  news.schedule(() -> each.remove("" + token), lagMillis, TimeUnit.MILLISECONDS));
          send(exchange, was ? 200 : 401, "{\"result\":\"x\"}");
        }
        default -> send(exchange, 404, "{}");
      }
    }
  }

  private void login(HttpExchange exchange) throws IOException {
    var headers = exchange.getRequestHeaders();
    if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      send(exchange, 503, "{}");
    } else if (!PASSWORD.equals(headers.getFirst("X-OpenAM-Password"))) {
      send(exchange, 401, "{\"message\":\"Authentication Failed\"}");
    } else {
      String token = headers.getFirst("X-OpenAM-Username") + "." + sessions.incrementAndGet();
      known.forEach(each -> each.add(token));
      send(exchange, 200, "{\"tokenId\":\"" + token + "\"}");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.stop(0));
    news.shutdownNow();
  }
}
