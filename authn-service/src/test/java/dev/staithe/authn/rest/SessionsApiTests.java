package dev.staithe.authn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.seal.TokenKey;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.SessionEvents;
import dev.staithe.authn.session.SessionOpening;
import dev.staithe.authn.session.SessionPolicy;
import dev.staithe.authn.session.Sessions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/** What becomes of calls for whose sessions nobody can say whether they have ended. */
final class SessionsApiTests {
  private static final Clock CLOCK = Clock.systemUTC();

  private final MemorySessions store = new MemorySessions(CLOCK);
  private final TokenKeys keys = new TokenKeys(List.of(TokenKey.generate(new SecureRandom())));

  private Sessions node() {
    return new Sessions(store, keys, SessionPolicy.DEFAULT, CLOCK, SessionEvents.NONE);
  }

  private String login() {
    try (Sessions other = node()) {
      other.start();
      assertThat(other.catchUp(Duration.ofSeconds(20))).isTrue();
      return other.open("alice", Assurance.PASSWORD, "", "") instanceof SessionOpening.Opened opened
          ? opened.token()
          : "";
    }
  }

  /** As of one that starts while its store is away: the client would take its session for lost. */
  @Test
  void nodeThatHasReadNoLogYetDoesNotCallAGoodTokenBad() throws Exception {
    String token = login();
    var server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (Sessions starting = node();
        HttpClient client = HttpClient.newHttpClient()) {
      var api = new SessionsApi(starting, null, Freshness.BOUNDED, result -> {}, CLOCK);
      var door =
          new RestDoor(
              Map.of(
                  "/list",
                  new RestDoor.Endpoint(Set.of("POST"), 1000, api::list),
                  "/act",
                  new RestDoor.Endpoint(Set.of("POST"), 1000, api::act)),
              Thread::startVirtualThread);
      server.setHandler(door);
      server.start();
      for (String path :
          List.of("/list", "/act?_action=logoutAll", "/act?_action=logout&other=yes")) {
        String body = path.endsWith("yes") ? "{\"sessionId\":\"x\"}" : "{}";
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(server.getURI().resolve(path))
                    .header("Authorization", "Bearer " + token)
                    .timeout(Duration.ofSeconds(20))
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      }
    } finally {
      server.stop();
    }
  }
}
