package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stop means for requests that have begun. */
final class ShutdownTests {
  private static final String ENVELOPE =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><a/></s:Body></s:Envelope>";

  @TempDir private Path folder;

  @Test
  void requestInFlightIsAnsweredBeforeTheGatewayEnds() throws InterruptedException {
    var reached = new CountDownLatch(1);
    var stopping = new CountDownLatch(1);
    RecordingService.Manner usual = RecordingService.with(200, "text/xml", ENVELOPE);
    try (var service =
        new RecordingService(
            exchange -> {
              reached.countDown();
              try {
                assertThat(stopping.await(60, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              usual.answer(exchange);
            })) {
      RunningGateway gateway =
          RunningGateway.start(
              folder, RunningGateway.endpoint(0, "/jobs", "none", service.address()));
      CompletableFuture<HttpResponse<String>> begun =
          CompletableFuture.supplyAsync(() -> gateway.post("/jobs", ENVELOPE));
      assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> stop = CompletableFuture.runAsync(gateway::stop);
      stopping.countDown();

      assertThat(begun.join().statusCode()).isEqualTo(200);
      stop.join();
      gateway.close();
    }
  }
}
