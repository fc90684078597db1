package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetsTests {
  @Test
  void usersOfSessionsStaySoThatARateIsRefused() {
    Map<String, String> settings = Map.of("perf.url", "http://localhost:8080", "perf.rate", "200");

    assertThatThrownBy(() -> AuthnTarget.from(settings::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("perf.rate is nothing that this simulation takes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"perf.rate", "perf.profile"})
  void soAreRateAndProfileByUsersOfACampusAndOfDelegations(String name) {
    Map<String, String> settings = Map.of(name, "1");

    assertThatThrownBy(() -> SlcsTarget.from(settings::get))
        .hasMessage(name + " is nothing that this simulation takes");
    assertThatThrownBy(() -> DelegationTarget.from(settings::get))
        .hasMessage(name + " is nothing that this simulation takes");
  }

  @Test
  void everyAccountOfACampusHasARequestWhereThereAreAny(@TempDir Path folder) throws IOException {
    Map<String, String> settings =
        Map.of(
            "perf.url", "http://localhost:8080",
            "perf.provider-url", "http://localhost:8081/idp",
            "perf.accounts", "2",
            "perf.requests", folder.toString());
    Files.createFile(folder.resolve("user-0.csr"));

    assertThatThrownBy(() -> SlcsTarget.from(settings::get))
        .hasMessage("perf.requests: there is no user-1.csr in " + folder);

    Files.createFile(folder.resolve("user-1.csr"));
    assertThat(SlcsTarget.from(settings::get).requests()).contains(folder);
  }

  @Test
  void messagesOfAGatewayLastUntilTheEndOfTheRunAtARate() {
    assertThatThrownBy(() -> messages(Map.of("perf.messages", "14999")))
        .hasMessage("perf.messages are fewer than are due at perf.rate until the end");
    assertThat(messages(Map.of("perf.messages", "15000")).rate()).isEqualTo(200);
    assertThat(messages(Map.of("perf.messages", "40", "perf.circular", "true")).rate())
        .isEqualTo(200);
    assertThatThrownBy(() -> messages(Map.of("perf.profile", "ramp")))
        .hasMessage("perf.profile is nothing that this simulation takes");
  }

  @Test
  void contextsOfAGatewayAreAskedForByAnAuthorityThatIsNamed() {
    Map<String, String> settings =
        Map.of(
            "perf.url", "https://localhost:8443/conversation",
            "perf.protection", "conversation",
            "perf.credential", "ada.pem",
            "perf.service-certificate", "gateway.pem",
            "perf.rate", "1");

    assertThatThrownBy(() -> messages(settings))
        .hasMessage("perf.ca is missing, which the conversation needs over https");
  }

  /** Of 15 s before and 60 s measured. */
  private static GatewayTarget messages(Map<String, String> settings) {
    var all = new HashMap<>(Map.of("perf.url", "http://localhost:8080/none", "perf.rate", "200"));
    all.putAll(settings);
    return GatewayTarget.from(all::get);
  }
}
