package dev.staithe.perf.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.RequestedKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A delegation service and a service that acts, as far as their clients see them, without TLS: each
 * proxy must be for the key that was asked for. What was asked is written down.
 */
public final class TestDelegations implements AutoCloseable {
  public final List<String> asked = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final Map<String, RequestedKey> pending = new ConcurrentHashMap<>();
  private final Set<String> delegated = ConcurrentHashMap.newKeySet();
  private final AtomicInteger numbers = new AtomicInteger();

  /** Whether it answers who wants to delegate with nothing to be signed. */
  public volatile boolean asksNothing;

  public TestDelegations() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/services/delegation", this::delegate);
    server.createContext("/services/", this::echo);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** How many delegations there are now. */
  public int size() {
    return delegated.size();
  }

  private void delegate(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 200, "<wsdl/>");
      return;
    }
    String operation = body.replaceFirst("(?s).*<d:(\\w+) .*", "$1");
    asked.add(operation);
    String id = text("delegationID", body);
    switch (operation) {
      case "getNewProxyReq" -> {
        String fresh = "fresh-" + numbers.incrementAndGet();
        // As gSOAP writes: attributes, and line ends of its own.
        answer(
            exchange,
            200,
            "<r><proxyRequest xsi:type=\"x\">%s</proxyRequest><delegationID>%s</delegationID></r>"
                .formatted(asksNothing ? "" : request(fresh).replace("\n", "&#xD;\n"), fresh));
      }
      case "getProxyReq" ->
          answer(exchange, 200, "<getProxyReqReturn>" + request(id) + "</getProxyReqReturn>");
      case "putProxy" -> {
        RequestedKey key = pending.remove(id);
        boolean fits = key != null && leafKey(text("proxy", body)).equals(key.publicKey());
        if (fits) {
          delegated.add(id);
        }
        answer(exchange, fits ? 200 : 500, fits ? "<d:putProxyResponse/>" : "<Fault/>");
      }
      case "destroy" -> {
        delegated.remove(id);
        answer(exchange, 200, "<d:destroyResponse/>");
      }
      default -> answer(exchange, 500, "<Fault/>");
    }
  }

  private String request(String id) {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256, "proxy");
    pending.put(id, key);
    return key.pem();
  }

  private static Object leafKey(String chain) {
    try {
      return Pem.parseCertificates(chain, "proxy").getFirst().getPublicKey();
    } catch (PemException e) {
      return "none";
    }
  }

  private void echo(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    String id = text("DelegationID", body);
    boolean known = id.isEmpty() || delegated.contains(id) && body.contains(">" + url() + "<");
    asked.add(id.isEmpty() ? "echo" : "echo for somebody");
    String heard = text("say", body) + (id.isEmpty() ? "" : " | echo for /O=Example/CN=Ada");
    answer(exchange, known ? 200 : 500, known ? "<hear>" + heard + "</hear>" : "<Fault/>");
  }

  private static String text(String name, String body) {
    String found = body.replaceFirst("(?s).*<(?:\\w+:)?" + name + "[^>]*>([^<]*)<.*", "$1");
    return found.equals(body) ? "" : found;
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
