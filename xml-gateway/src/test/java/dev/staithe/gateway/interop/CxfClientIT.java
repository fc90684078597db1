package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.IOException;
import java.nio.file.Path;
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
  private static InteropSite site;

  @BeforeAll
  static void start() throws IOException {
    site =
        new InteropSite(
            folder,
            null,
            List.of(
                "none",
                "transport",
                "x509",
                "encrypted-key",
                "username",
                "transport-username",
                "conversation",
                "conversation-username"),
            Map.of());
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  @ParameterizedTest
  @CsvSource({
    "none, 1.1, MODERN",
    "none, 1.2, INTEROP",
    "transport, 1.1, MODERN",
    "transport, 1.2, INTEROP",
    "x509, 1.1, MODERN",
    "x509, 1.2, MODERN",
    "x509, 1.2, INTEROP",
    "encrypted-key, 1.1, MODERN",
    "encrypted-key, 1.2, INTEROP",
    "username, 1.1, MODERN",
    "username, 1.2, INTEROP",
    "transport-username, 1.1, MODERN",
    "transport-username, 1.2, INTEROP",
    "conversation, 1.1, MODERN",
    "conversation, 1.2, MODERN",
    "conversation, 1.2, INTEROP",
    "conversation-username, 1.1, MODERN",
    "conversation-username, 1.2, INTEROP"
  })
  void clientOfThePolicyIsAnswered(String policy, String soap, AlgorithmList list)
      throws Exception {
    try (CxfClient client =
        site.client(policy, soap, list)
            .user(InteropSite.USER, InteropSite.PASSWORD)
            .policy(BuiltInPolicies.document(policy, list))) {
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
