package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.route.RecordingService;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new document means for requests that have begun and for those that come. */
final class PolicySwitchTests {
  private static final String ASK =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><do xmlns=\"urn:t\"/></s:Body></s:Envelope>";
  private static final String ANSWER = ASK.replace("do", "done");

  @TempDir private Path folder;

  @Test
  void requestInFlightEndsUnderTheOldPolicyAndTheNextIsJudgedByTheNewOne() throws Exception {
    var reached = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Path policy = folder.resolve("jobs.xml");
    Files.write(policy, BuiltInPolicies.document("none", AlgorithmList.MODERN));
    RecordingService.Manner usual = RecordingService.with(200, "text/xml", ANSWER);
    try (var service =
            new RecordingService(
                exchange -> {
                  reached.countDown();
                  await(released);
                  usual.answer(exchange);
                });
        RunningGateway gateway = RunningGateway.start(folder, settings(policy, service))) {
      CompletableFuture<HttpResponse<String>> begun =
          CompletableFuture.supplyAsync(() -> gateway.post("/jobs", ASK));
      assertThat(reached.await(180, TimeUnit.SECONDS)).isTrue();

      Files.write(policy, BuiltInPolicies.document("transport-username", AlgorithmList.MODERN));
      Eventually.holds(
          "the new policy is told",
          () -> gateway.get("/jobs?policy").body().contains("UsernameToken"));
      HttpResponse<String> next = gateway.post("/jobs", ASK);
      released.countDown();

      assertThat(begun.join().statusCode()).isEqualTo(200);
      assertThat(begun.join().body()).isEqualTo(ANSWER);
      assertThat(next.statusCode()).isEqualTo(500);
      assertThat(next.body()).contains("InvalidSecurity");
      gateway.auditsAfter("", "\"event\":\"policy.switch\"");
    }
  }

  @Test
  void documentWhoseNeedsAreNotMetChangesNothing() throws Exception {
    Path policy = folder.resolve("jobs.xml");
    Files.write(policy, BuiltInPolicies.document("none", AlgorithmList.MODERN));
    try (var service = new RecordingService(RecordingService.with(200, "text/xml", ANSWER));
        RunningGateway gateway = RunningGateway.start(folder, settings(policy, service))) {
      Files.write(policy, BuiltInPolicies.document("x509", AlgorithmList.MODERN));

      Eventually.holds("the document is refused", () -> gateway.audit().contains("policy.refused"));
      assertThat(gateway.audit()).contains("needs staithe.message.certificate");
      assertThat(gateway.post("/jobs", ASK).statusCode()).isEqualTo(200);
      assertThat(gateway.get("/.staithe/metrics").body())
          .contains("staithe_gateway_policy_stale{endpoint=\"/jobs\"} 1.0");
    }
  }

  /** A proxy in front ends TLS: nobody could show a certificate. */
  @Test
  void certificateThatNobodyCouldShowIsDemandedOfNobody() throws Exception {
    Path policy = folder.resolve("jobs.xml");
    Files.write(policy, BuiltInPolicies.document("none", AlgorithmList.MODERN));
    String transport =
        new String(
            BuiltInPolicies.document("transport", AlgorithmList.MODERN), StandardCharsets.UTF_8);
    String demanding =
        transport.replaceFirst(
            "(<sp:HttpsToken[^>]*>\\s*<wsp:Policy)/>",
            "$1><sp:RequireClientCertificate/></wsp:Policy>");
    assertThat(demanding).isNotEqualTo(transport);
    try (var service = new RecordingService(RecordingService.with(200, "text/xml", ANSWER))) {
      Map<String, Object> settings = settings(policy, service);
      settings.put("staithe.tls.enabled", false);
      settings.put("staithe.proxy.trusted[0]", "127.0.0.0/8");
      settings.put(
          "staithe.client-certificates.trust",
          GridAuthority.in(folder.resolve("grid"), Clock.systemUTC()).certificate());
      try (RunningGateway gateway = RunningGateway.start(folder, settings)) {
        Files.writeString(policy, demanding);

        Eventually.holds(
            "the document is refused", () -> gateway.audit().contains("policy.refused"));
        assertThat(gateway.audit()).contains("needs staithe.tls");
      }
    }
  }

  private Map<String, Object> settings(Path policy, RecordingService service) throws IOException {
    Path users = folder.resolve("users");
    Files.writeString(users, "ada:secret\n");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.putAll(RunningGateway.endpoint(0, "/jobs", policy.toString(), service.address()));
    settings.put("staithe.users.file", users);
    settings.put("staithe.tls.check-interval", "1s");
    return settings;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(180, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
