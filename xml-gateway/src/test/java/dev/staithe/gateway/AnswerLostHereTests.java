package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.route.Judges;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.wss.Findings;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An answer whose signature cannot be remembered, as there is no room for it, does not leave. */
final class AnswerLostHereTests {
  private static final int MARKS = 1_000;

  @TempDir private Path folder;

  private static HttpResponse<String> ask(RunningGateway gateway, MessageSite site)
      throws IOException {
    byte[] envelope =
        new Initiator(
                BuiltInPolicies.policy("username", AlgorithmList.MODERN),
                site.holder(),
                null,
                Clock.systemUTC())
            .secure(
                PlainRequest.of(
                    SoapVersion.SOAP_1_1,
                    "urn:t:say",
                    gateway.url() + "/jobs",
                    "<say xmlns=\"urn:t\">hello</say>"))
            .envelope();
    return gateway.post(
        "/jobs", new String(envelope, StandardCharsets.UTF_8), "SOAPAction", "\"urn:t:say\"");
  }

  @Test
  void serviceIsNotBlamedForIt() throws Exception {
    MessageSite site = MessageSite.in(folder);
    Map<String, Object> settings = new LinkedHashMap<>(site.settings());
    try (RecordingService service = MessageSite.service()) {
      settings.putAll(RunningGateway.endpoint(0, "/jobs", "username", service.address()));
      settings.put("staithe.message.replay-most", MARKS);
      try (RunningGateway gateway = RunningGateway.start(folder.resolve("gateway"), settings)) {
        assertThat(ask(gateway, site).statusCode()).as(gateway.audit()).isEqualTo(200);
        ReplayCache replays = gateway.bean(Judges.class).replays();
        // Of the request, and one of the answer.
        int ofOne = replays.size();
        for (int i = ofOne; i <= MARKS - ofOne; i++) {
          byte[] digest = ByteBuffer.allocate(32).putInt(i).array();
          replays.mark(List.of(new Findings.Once(digest, Instant.now().plusSeconds(3_600))));
        }

        HttpResponse<String> answer = ask(gateway, site);

        assertThat(service.seen()).hasSize(2);
        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("its answer was lost here");
        assertThat(gateway.get("/.staithe/metrics").body())
            .contains("staithe_gateway_backend_errors_total{endpoint=\"/jobs\",kind=\"no_room\"}");
      }
    }
  }
}
