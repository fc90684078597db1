package dev.staithe.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.http.HostLookUp;
import dev.staithe.testkit.Eventually;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CountedHostsTests {
  private static InetAddress[] addresses(String host) throws UnknownHostException {
    return switch (host) {
      case "one", "other" ->
          new InetAddress[] {
            InetAddress.ofLiteral("2001:db8::1"),
            InetAddress.ofLiteral("192.0.2.200"),
            InetAddress.ofLiteral("192.0.2.7")
          };
      default -> throw new UnknownHostException(host);
    };
  }

  @Test
  void namesOfOneServerAreOneWhateverTheOrderOfItsAddresses() {
    var hosts = new CountedHosts(CountedHostsTests::addresses, Eventually.LONGEST);
    assertThat(hosts.of("one")).isEqualTo("192.0.2.7").isEqualTo(hosts.of("other"));
    assertThat(hosts.of("nowhere")).isEqualTo("nowhere");
  }

  @Test
  void nameServerThatDoesNotAnswerHoldsNobodyUp() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    HostLookUp.Resolver silent =
        host -> {
          asked.incrementAndGet();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new UnknownHostException(host);
          }
          return addresses(host);
        };
    var patient = new CountedHosts(silent, Eventually.LONGEST);
    var hasty = new CountedHosts(silent, Duration.ofMillis(1));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(hasty.of("one")).isEqualTo("one");
      Eventually.holds("it was asked", () -> asked.get() == 1);
      List<Future<String>> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(threads.submit(() -> patient.of("one")));
      }
      Eventually.holds("all threads ask", () -> asked.get() == 9);
      assertThat(patient.of("other")).as("none is free").isEqualTo("other");
      answer.countDown();
      for (Future<String> each : waiting) {
        assertThat(each.get()).isEqualTo("192.0.2.7");
      }
    }
  }
}
