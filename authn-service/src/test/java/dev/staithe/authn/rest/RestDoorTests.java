package dev.staithe.authn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/** What becomes of work that breaks. */
final class RestDoorTests {
  /** As for want of descriptors, when a class is to be loaded; no container stands behind. */
  @Test
  void workThatEndsByAnErrorOnAThreadOfItsOwnIsAnswered() throws Exception {
    RestDoor.Blocking work =
        () -> {
          throw new NoClassDefFoundError("thrown on purpose");
        };
    var endpoint = new RestDoor.Endpoint(Set.of("GET"), 0, (call, threads) -> threads.run(work));
    var server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    server.setHandler(new RestDoor(Map.of("/broken", endpoint), Thread::startVirtualThread));
    server.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(server.getURI().resolve("/broken"))
                  .timeout(Duration.ofSeconds(20))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("could not be served");
    } finally {
      server.stop();
    }
  }
}
