package dev.staithe.perf.scenario;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An identity provider and a service that do what browsers and enhanced clients see of single
 * sign-on, with nothing in the messages. What was asked is written down.
 */
public final class TestCampus implements AutoCloseable {
  public static final String PASSWORD = "right&proper";

  public final List<String> asked = new CopyOnWriteArrayList<>();
  private final HttpServer service;
  private final HttpServer provider;
  private final Set<String> sessions = ConcurrentHashMap.newKeySet();
  private final Set<String> providerSessions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger numbers = new AtomicInteger();

  /** What the provider tells an enhanced client of where its answer may go; a double does not. */
  public volatile String consumer;

  public TestCampus() throws IOException {
    service = server();
    provider = server();
    service.createContext("/echo", this::echo);
    service.createContext("/acs", this::consume);
    provider.createContext("/sso", this::signOn);
    provider.createContext("/form", this::form);
    provider.createContext("/ecp", this::enhanced);
    consumer = url() + "/acs";
    service.start();
    provider.start();
  }

  private static HttpServer server() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return server;
  }

  public String url() {
    return "http://127.0.0.1:" + service.getAddress().getPort();
  }

  private String providerUrl() {
    return "http://127.0.0.1:" + provider.getAddress().getPort();
  }

  public String enhancedUrl() {
    return providerUrl() + "/ecp";
  }

  private String newSession(Set<String> of) {
    String session = "s" + numbers.incrementAndGet();
    of.add(session);
    return session;
  }

  private static boolean knows(Set<String> sessions, HttpExchange exchange) {
    String cookie = exchange.getRequestHeaders().getFirst("Cookie");
    return cookie != null && sessions.contains(cookie.replaceFirst(".*session=(\\w+).*", "$1"));
  }

  private void echo(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    if (exchange.getRequestURI().getPath().equals("/echo/open") || knows(sessions, exchange)) {
      asked.add("echo");
      answer(exchange, 200, body);
    } else if (exchange.getRequestHeaders().containsKey("PAOS")) {
      asked.add("challenge");
      answer(
          exchange,
          200,
          ("<S:Envelope xmlns:S=\"s\"><S:Header><paos:Request responseConsumerURL=\"%s/acs\"/>"
                  + "<ecp:RelayState>state</ecp:RelayState></S:Header>"
                  + "<S:Body><AuthnRequest/></S:Body></S:Envelope>")
              .formatted(url()));
    } else {
      asked.add("challenge");
      exchange.getResponseHeaders().set("Location", providerUrl() + "/sso?a=1&b=2");
      answer(exchange, 302, "");
    }
  }

  private void consume(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    boolean enhanced = body.contains(">state</ecp:RelayState>");
    if (!enhanced && !body.contains("SAMLResponse=UmVzcG9uc2U%3D")) {
      answer(exchange, 400, "no response: " + body);
      return;
    }
    asked.add("assertion");
    exchange.getResponseHeaders().add("Set-Cookie", "session=" + newSession(sessions) + "; Path=/");
    exchange.getResponseHeaders().set("Location", url() + "/echo");
    answer(exchange, 303, "");
  }

  private void signOn(HttpExchange exchange) throws IOException {
    if (knows(providerSessions, exchange)) {
      asked.add("known");
      answer(exchange, 200, page());
    } else {
      exchange.getResponseHeaders().set("Location", "/form?State=x%26y");
      answer(exchange, 302, "");
    }
  }

  private void form(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("GET")) {
      answer(
          exchange,
          200,
          "<p>Log in</p><form method='post' action='?State=x&amp;y'><input type='hidden'"
              + " name='State' value='x&amp;y'/><input name=\"username\"/>"
              + "<input type=\"password\" name=\"password\"></form>");
      return;
    }
    String body = body(exchange);
    if (!body.contains("password=right%26proper") || !body.contains("State=x%26y")) {
      answer(exchange, 200, "<p>Wrong password</p>");
      return;
    }
    asked.add("password " + body.replaceFirst(".*username=([^&]*).*", "$1"));
    exchange
        .getResponseHeaders()
        .add("Set-Cookie", "session=" + newSession(providerSessions) + "; Path=/");
    answer(exchange, 200, page());
  }

  private String page() {
    return "<form method=\"post\" action=\"%s/acs\"><input type=\"hidden\" name=\"SAMLResponse\" value=\"%s\"/></form>"
        .formatted(
            url(),
            Base64.getEncoder().encodeToString("Response".getBytes(StandardCharsets.US_ASCII)));
  }

  private void enhanced(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    String secret = exchange.getRequestHeaders().getFirst("Authorization");
    if (body.contains("RelayState") || !body.contains("AuthnRequest")) {
      answer(exchange, 400, "no request: " + body);
      return;
    }
    if (knows(providerSessions, exchange)) {
      asked.add("known");
    } else if (secret == null) {
      answer(exchange, 401, "who are you?");
      return;
    } else {
      String told =
          new String(
              Base64.getDecoder().decode(secret.substring("Basic ".length())),
              StandardCharsets.UTF_8);
      if (!told.endsWith(":" + PASSWORD)) {
        answer(exchange, 401, "wrong password");
        return;
      }
      asked.add("password " + told.substring(0, told.indexOf(':')));
      exchange
          .getResponseHeaders()
          .add("Set-Cookie", "session=" + newSession(providerSessions) + "; Path=/");
    }
    answer(
        exchange,
        200,
        ("<E:Envelope xmlns:E=\"s\"><E:Header><ecp:Response AssertionConsumerServiceURL=\"%s\"/>"
                + "</E:Header><E:Body><Response/></E:Body></E:Envelope>")
            .formatted(consumer));
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    service.stop(0);
    provider.stop(0);
  }
}
