package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords that are guessed, and messages that come again when the gateway has forgotten them. */
final class GuessingAttackTests {
  @TempDir Path folder;

  private static String secured(RunningGateway gateway, Holder who, String policy)
      throws IOException {
    byte[] envelope =
        new Initiator(
                BuiltInPolicies.policy(policy, AlgorithmList.MODERN), who, null, Clock.systemUTC())
            .secure(
                PlainRequest.of(
                    SoapVersion.SOAP_1_1,
                    "urn:t:say",
                    gateway.url() + "/jobs",
                    "<say xmlns=\"urn:t\">hello</say>"))
            .envelope();
    return new String(envelope, StandardCharsets.UTF_8);
  }

  private RunningGateway start(MessageSite site, String policy, RecordingService service) {
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    settings.putAll(RunningGateway.endpoint(0, "/jobs", policy, service.address()));
    return RunningGateway.start(folder.resolve("gateway" + System.nanoTime()), settings);
  }

  private static Holder with(Holder right, String user, String password) {
    return new Holder(
        right.credential(), right.service(), user, password.getBytes(StandardCharsets.UTF_8), null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"transport-username", "username"})
  void wrongPasswordsHoldTheirUserAndNobodyElse(String policy) throws IOException {
    MessageSite site = MessageSite.in(folder);
    Files.writeString(folder.resolve("users"), "ada:correct horse\nbea:battery staple\n");
    try (RecordingService service = MessageSite.service();
        RunningGateway gateway = start(site, policy, service)) {
      Holder wrong = with(site.holder(), "ada", "wrong");
      for (int i = 0; i < 5; i++) {
        assertThat(gateway.post("/jobs", secured(gateway, wrong, policy)).statusCode())
            .isEqualTo(500);
        Trials.held();
      }
      for (Holder each : new Holder[] {wrong, site.holder()}) {
        HttpResponse<String> held = gateway.post("/jobs", secured(gateway, each, policy));
        assertThat(held.statusCode()).isEqualTo(429);
        assertThat(held.headers().firstValue("Retry-After")).isPresent();
        assertThat(held.body()).contains("FailedAuthentication").contains("try again later");
      }
      gateway.auditsAfter("", "\"held\"");
      assertThat(service.seen()).isEmpty();
      Holder bea = with(site.holder(), "bea", "battery staple");
      assertThat(gateway.post("/jobs", secured(gateway, bea, policy)).statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<wsse:Nonce>AAAA</wsse:Nonce>", "<wsu:Created>NOW</wsu:Created>"})
  void passwordInTheClearWithANonceOrATimeIsNotTakenAgain(String more) throws IOException {
    MessageSite site = MessageSite.in(folder);
    try (RecordingService service = MessageSite.service();
        RunningGateway gateway = start(site, "transport-username", service)) {
      String recorded =
          secured(gateway, site.holder(), "transport-username")
              .replace(
                  "</wsse:UsernameToken>",
                  more.replace("NOW", Instant.now().toString()) + "</wsse:UsernameToken>");
      HttpResponse<String> first = gateway.post("/jobs", recorded);
      assertThat(first.statusCode()).as(gateway.audit()).isEqualTo(200);

      HttpResponse<String> again = gateway.post("/jobs", recorded);

      assertThat(again.statusCode()).isEqualTo(500);
      assertThat(gateway.audited(again)).contains("\"replay\"");
      assertThat(service.seen()).hasSize(1);
    }
  }

  @Test
  void messageThatWasTakenBeforeARestartIsNotTakenAfterIt() throws IOException {
    MessageSite site = MessageSite.in(folder);
    try (RecordingService service = MessageSite.service()) {
      String recorded;
      try (RunningGateway gateway = start(site, "x509", service)) {
        recorded = secured(gateway, site.holder(), "x509");
        assertThat(gateway.post("/jobs", recorded).statusCode()).isEqualTo(200);
      }
      // The second in which it starts is not told apart: clients write times in whole ones.
      Instant taken = Instant.now();
      Eventually.holds(
          "the next second", () -> Instant.now().getEpochSecond() > taken.getEpochSecond());
      try (RunningGateway gateway = start(site, "x509", service)) {
        HttpResponse<String> again = gateway.post("/jobs", recorded);

        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(gateway.audited(again)).contains("\"stale\"");
        assertThat(service.seen()).hasSize(1);
        String fresh = secured(gateway, site.holder(), "x509");
        assertThat(gateway.post("/jobs", fresh).statusCode()).isEqualTo(200);
      }
    }
  }
}
