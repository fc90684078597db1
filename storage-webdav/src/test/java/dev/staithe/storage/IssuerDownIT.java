package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of two issuers takes requests and never answers, from before the start on. */
class IssuerDownIT {
  @TempDir Path folder;

  private static String token(TokenIssuer issuer) {
    return issuer.token().scope("storage.read:/").audience(RunningStorage.AUDIENCE).sign();
  }

  @Test
  void itsTokensAreToldToComeBackAndNobodyElseWaits() throws Exception {
    try (TokenIssuer silent = TokenIssuer.overHttp(Clock.systemUTC())) {
      silent.stall();
      Map<String, Object> both = new HashMap<>();
      both.put("staithe.issuers[1].issuer", silent.issuer());
      both.put("staithe.issuers[1].audiences", RunningStorage.AUDIENCE);
      both.put("staithe.issuers[1].plain-http-on-loopback", true);
      both.put("staithe.areas[0].grants[1].issuer", silent.issuer());
      try (RunningStorage storage = RunningStorage.start(folder.resolve("element"), both)) {
        Files.writeString(storage.data().resolve("file"), "content");
        int waiting = 20;
        List<Thread> threads = new ArrayList<>();
        List<Curl.Response> answers = java.util.Collections.synchronizedList(new ArrayList<>());
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < waiting; i++) {
          threads.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        answers.add(storage.curl("/data/file").token(token(silent)).run());
                        ended.incrementAndGet();
                      }));
        }
        for (int i = 0; i < 10; i++) {
          Curl.Response good = storage.curl("/data/file").token(storage.token()).run();
          assertThat(good.status()).as(good.toString()).isEqualTo(200);
          assertThat(storage.curl("/open/").run().status()).isEqualTo(200);
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(answers).hasSize(waiting);
        assertThat(answers)
            .allSatisfy(
                answer -> {
                  assertThat(answer.status()).as(answer + answer.text()).isEqualTo(503);
                  assertThat(answer.header("retry-after").orElse("none")).matches("[1-9]\\d*");
                  assertThat(answer.text().lines()).hasSize(1);
                });
        Curl.Response health = storage.curl("/.staithe/health").run();
        assertThat(health.text()).contains("DEGRADED");
        assertThat(health.status()).isEqualTo(200);

        silent.resume();
        Eventually.holds(
            "its tokens count again",
            () -> storage.curl("/data/file").token(token(silent)).run().status() == 200);
      }
    }
  }
}
