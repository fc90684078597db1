package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.backend.CallerFields;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTests {
  private static Endpoint.Settings settings(String address, String... names) {
    return new Endpoint.Settings(
        "/jobs", URI.create(address), Set.of(names), Set.of(), CallerFields.NOTHING, 1 << 20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gate.example.org/site/jobs",
        "https://GATE.example.org:8447/jobs",
        "http://soap.example.org/jobs"
      })
  void addressesThatAreThisEndpoints(String to) {
    assertThat(
            settings("https://gate.example.org/site/jobs", "Soap.Example.org")
                .isHere(URI.create(to)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gate.example.com/jobs",
        "https://gate.example.org/jobs/more",
        "https://gate.example.org/",
        "https://localhost/jobs",
        "urn:jobs",
        "/jobs"
      })
  void addressesThatAreSomebodyElses(String to) {
    assertThat(settings("https://gate.example.org/jobs").isHere(URI.create(to))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://localhost:1/jobs", "https://127.0.0.1:2/jobs", "https://[::1]:3/jobs"})
  void thisMachineHasThreeNames(String to) {
    assertThat(settings("https://localhost:8447/jobs").isHere(URI.create(to))).isTrue();
  }
}
