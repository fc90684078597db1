package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an issuer is asked of opaque tokens, and when. */
final class OpaqueTokensTests {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();

  /** Until then the issuer does not answer. */
  private volatile CompletableFuture<Void> answers = new CompletableFuture<>();

  private volatile String answer = "{\"active\":true,\"sub\":\"ada\",\"aud\":\"se\"}";
  private HttpServer issuer;
  private OpaqueTokens.Source source;
  private OpaqueTokens tokens;

  @BeforeEach
  void start() throws Exception {
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.setExecutor(threads);
    issuer.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            asked.incrementAndGet();
            answers.join();
            byte[] content = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
          }
        });
    issuer.start();
    String url = "http://127.0.0.1:" + issuer.getAddress().getPort();
    TokenProfile profile =
        new TokenProfile(true, TokenProfile.PLAIN_GROUP_CLAIMS, false, List.of(), List.of());
    source =
        new OpaqueTokens.Source(
            new TrustedIssuer(url, Set.of("se"), false, false, null, true, profile),
            URI.create(url),
            "client",
            "secret",
            Duration.ofSeconds(30));
    tokens = tokens(source);
  }

  private static OpaqueTokens tokens(OpaqueTokens.Source source) throws Exception {
    return new OpaqueTokens(
        source, SSLContext.getDefault(), MutableClock.at(Instant.parse("2026-11-21T12:00:00Z")));
  }

  @AfterEach
  void stop() {
    answers.complete(null);
    tokens.close();
    issuer.stop(0);
    threads.close();
  }

  private static boolean runs(Thread thread) {
    return thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE;
  }

  /** More often than the issuer is asked at once: one client is no crowd of strangers. */
  @Test
  void tokenThatIsShownManyTimesAtOnceIsAskedAboutOnce() throws Exception {
    List<FutureTask<String>> shown = new ArrayList<>();
    List<Thread> showing = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      FutureTask<String> one = new FutureTask<>(() -> tokens.introspect("opaque").getName());
      shown.add(one);
      showing.add(Thread.ofVirtual().start(one));
    }
    Eventually.holds("all wait", () -> showing.stream().noneMatch(OpaqueTokensTests::runs));
    answers.complete(null);
    for (FutureTask<String> one : shown) {
      assertThat(one.get()).isEqualTo("ada");
    }
    assertThat(asked).hasValue(1);
  }

  private static FutureTask<String> shown(OpaqueTokens to, String token) {
    FutureTask<String> one = new FutureTask<>(() -> to.introspect(token).getName());
    Thread.ofVirtual().start(one);
    return one;
  }

  @Test
  void tokenThatWasGoodIsAskedAboutHoweverManyAreInvented() throws Exception {
    try (OpaqueTokens forgetful =
        tokens(
            new OpaqueTokens.Source(
                source.issuer(), source.endpoint(), "client", "secret", Duration.ZERO))) {
      answers.complete(null);
      assertThat(forgetful.introspect("good").getName()).isEqualTo("ada");
      answers = new CompletableFuture<>();
      List<FutureTask<String>> invented = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        invented.add(shown(forgetful, "invented" + i));
      }
      Eventually.holds(
          "the issuer is asked about all that it may be asked about",
          () -> asked.get() - 1 + invented.stream().filter(Future::isDone).count() == 40);
      int before = asked.get();
      FutureTask<String> good = shown(forgetful, "good");
      Eventually.holds("it is asked about", () -> asked.get() > before || good.isDone());
      answers.complete(null);
      assertThat(good.get()).isEqualTo("ada");
    }
  }

  @Test
  void whatTheIssuerLeavesEmptyIsNotSaid() {
    answers.complete(null);
    answer = "{\"active\":true,\"sub\":\"ada\",\"aud\":\"se\",\"iss\":null,\"exp\":null}";
    assertThat(tokens.introspect("opaque").getName()).isEqualTo("ada");
  }
}
