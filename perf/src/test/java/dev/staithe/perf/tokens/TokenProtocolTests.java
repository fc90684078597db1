package dev.staithe.perf.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.LoadBalancer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenProtocolTests {
  @Test
  void openamIsAskedForTheVersionThatKnowsValidate() {
    assertThat(TokenProtocol.openam().validate().headers())
        .containsEntry("Accept-API-Version", "resource=1.1, protocol=1.0")
        .containsEntry("iPlanetDirectoryPro", "{token}");
  }

  @Test
  void keycloakLogsOutByTheRefreshTokenThatTheLoginGave() {
    var keycloak = TokenProtocol.keycloak("perf", "client", "secret");

    assertThat(keycloak.kept()).containsEntry("refresh", "refresh_token");
    assertThat(keycloak.logout().body()).startsWith("refresh_token={refresh}&");
    assertThat(keycloak.login().path()).isEqualTo("/realms/perf/protocol/openid-connect/token");
  }

  @Test
  void everyRequestNamesTheUserToABalancerThatNeedsIt() {
    var named = TokenProtocol.staithe().naming("X-User");

    for (var call : List.of(named.login(), named.validate(), named.logout())) {
      assertThat(call.headers()).containsEntry("X-User", "{user}");
    }
    assertThat(TokenProtocol.staithe().login().headers()).doesNotContainKey("X-User");
  }

  @Test
  void theBalancerHasAPortInTurnAndOneByUser() {
    String text = LoadBalancer.configuration(List.of(1, 2), List.of("http://127.0.0.1:8001"));

    assertThat(text)
        .contains("bind 127.0.0.1:1\n  balance roundrobin\n  server node0 127.0.0.1:8001\n")
        .contains("bind 127.0.0.1:2\n  balance hdr(X-Perf-User)\n  server node0 127.0.0.1:8001\n");
  }

  @Test
  void everySettingOfOurServiceIsFilledIn() throws Exception {
    var peer =
        new StaitheTokenPeer(
            Path.of("/nowhere"),
            "staithe",
            1,
            StaitheTokenPeer.Hash.OWASP,
            StaitheTokenPeer.Persistence.ASSURED_WRITE,
            2);

    assertThat(peer.settings(Path.of("/folder"), 8001, 5432))
        .doesNotContainPattern("@\\w+@")
        .contains("port: 8001", "127.0.0.1:5432", "assured-write", "hash: owasp");
  }
}
