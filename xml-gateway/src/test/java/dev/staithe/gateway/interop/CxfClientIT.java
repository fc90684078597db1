package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.RunningGateway;
import dev.staithe.pki.Credential;
import dev.staithe.pki.HostCertificateRequest;
import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Apache CXF's client, given the documents that the gateway publishes. */
final class CxfClientIT {
  @TempDir static Path folder;
  private static RunningGateway gateway;
  private static Credential own;

  @BeforeAll
  static void start() {
    Map<String, Object> settings = new LinkedHashMap<>();
    int number = 0;
    for (String policy : List.of("none", "transport")) {
      for (AlgorithmList list : AlgorithmList.values()) {
        String key = "staithe.endpoints[" + number++ + "].";
        settings.put(key + "path", path(policy, list));
        settings.put(key + "policy", policy);
        settings.put(key + "algorithms", list.name().toLowerCase(java.util.Locale.ROOT));
      }
    }
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
    own =
        ThrowAwayAuthority.in(folder.resolve("people"), Clock.systemUTC())
            .host(
                new HostCertificateRequest(
                    List.of("caller"), KeyKind.RSA_2048, Duration.ofDays(7)))
            .credential();
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static String path(String policy, AlgorithmList list) {
    return "/echo/" + policy + "-" + list.name().toLowerCase(java.util.Locale.ROOT);
  }

  @ParameterizedTest
  @CsvSource({
    "none, 1.1, MODERN", "none, 1.2, INTEROP", "transport, 1.1, MODERN", "transport, 1.2, INTEROP"
  })
  void clientOfThePolicyIsAnswered(String policy, String soap, AlgorithmList list)
      throws Exception {
    var draft =
        new CxfClient.Draft(
            URI.create(gateway.url() + path(policy, list)),
            soap,
            own,
            own.certificate(),
            gateway.authority().issuer().certificate(),
            gateway.authority().clientContext());
    try (CxfClient client = draft.policy(BuiltInPolicies.document(policy, list))) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.call(say("Größe <π> " + i))).contains("Größe &lt;π").contains("" + i);
      }
    }
  }

  private static String say(String text) {
    return "<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>"
        + text.replace("<", "&lt;")
        + "</e:say></e:echo>";
  }
}
