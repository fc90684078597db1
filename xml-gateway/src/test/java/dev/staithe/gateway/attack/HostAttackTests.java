package dev.staithe.gateway.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.route.RecordingService;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptions that lead clients to somebody else. */
final class HostAttackTests {
  private static final String DESCRIPTION =
      "<definitions xmlns=\"http://schemas.xmlsoap.org/wsdl/\" xmlns:t=\"urn:t\""
          + " xmlns:soap=\"http://schemas.xmlsoap.org/wsdl/soap/\" targetNamespace=\"urn:t\">"
          + "<service name=\"s\"><port name=\"p\" binding=\"t:b\">"
          + "<soap:address location=\"http://127.0.0.1/\"/></port></service></definitions>";

  @TempDir Path folder;

  @Test
  void hostThatTheRequestNamesIsNoAddressInADescription() {
    try (RecordingService service = MessageSite.service().describedBy(DESCRIPTION);
        RunningGateway gateway =
            RunningGateway.start(
                folder, RunningGateway.endpoint(0, "/jobs", "none", service.address()))) {
      Curl.Response answer =
          Curl.to(gateway.url() + "/jobs?wsdl")
              .trusting(gateway.authority())
              .header("Host", "evil.example.org")
              .run();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text())
          .contains("location=\"" + gateway.url() + "/jobs\"")
          .doesNotContain("evil");
    }
  }
}
