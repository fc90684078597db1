package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.wss.policy.AlgorithmList;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Metro's client, which reads what the gateway publishes. */
final class MetroClientIT {
  private static final Duration LONG = Duration.ofMinutes(10);

  /** As long as it takes to use it once. */
  private static final Duration SHORT = Duration.ofSeconds(6);

  /** One for each time that contexts are asked to last. */
  private static final Map<Duration, MetroClient> CLIENTS = new HashMap<>();

  @TempDir static Path folder;
  private static InteropSite site;

  @BeforeAll
  static void start() throws IOException {
    site =
        new InteropSite(
            folder,
            null,
            List.of(
                "x509",
                "encrypted-key",
                "transport-username",
                "conversation",
                "conversation-username"),
            Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    for (MetroClient client : CLIENTS.values()) {
      client.close();
    }
    site.close();
  }

  @ParameterizedTest
  @CsvSource({
    "x509, EchoPort",
    "x509, EchoPort12",
    "encrypted-key, EchoPort",
    "transport-username, EchoPort",
    "conversation, EchoPort",
    "conversation, EchoPort12",
    "conversation-username, EchoPort"
  })
  void clientThatReadsTheDescriptionIsAnswered(String policy, String port) throws Exception {
    MetroClient client = client(policy, port, LONG);
    for (int i = 0; i < 3; i++) {
      assertThat(client.say(say("call " + i)))
          .as(client.output())
          .startsWith("heard")
          .contains("call " + i);
    }
    assertThat(client.closePort()).as(client.output()).isEqualTo("closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"conversation", "conversation-username"})
  void contextServesManyCallsAndIsGoneWhenThePortIsClosed(String policy) throws Exception {
    int issued = audited("context.issue");
    int cancelled = audited("context.cancel");
    int before = live();
    MetroClient client = client(policy, "EchoPort", LONG);
    for (int i = 0; i < 5; i++) {
      assertThat(client.say(say("call " + i))).as(client.output()).contains("call " + i);
    }
    assertThat(audited("context.issue") - issued).isEqualTo(1);
    assertThat(live() - before).isEqualTo(1);
    assertThat(client.closePort()).as(client.output()).isEqualTo("closed");
    assertThat(audited("context.cancel") - cancelled).isEqualTo(1);
    assertThat(live() - before).isZero();
  }

  /** It asks under the bootstrap policy, and endorses with the key of what has ended. */
  @ParameterizedTest
  @ValueSource(strings = {"conversation", "conversation-username"})
  void contextThatHasEndedIsRenewedAndServesOn(String policy) throws Exception {
    int issued = audited("context.issue");
    int renewed = audited("context.renew");
    MetroClient client = client(policy, "EchoPort", SHORT);
    for (int i = 0; i < 2; i++) {
      assertThat(client.say(say("call " + i)))
          .as(client.output() + site.gateway().audit())
          .contains("call " + i);
      Eventually.holds("the context ends", () -> live() == 0);
    }
    assertThat(client.say(say("at last"))).as(client.output()).contains("at last");
    assertThat(audited("context.issue") - issued).isEqualTo(1);
    assertThat(audited("context.renew") - renewed).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void faultOfTheServiceComesBack(String policy) throws Exception {
    MetroClient client = client(policy, "EchoPort", LONG);
    assertThat(client.say("<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"/>"))
        .as(client.output())
        .contains("with a say is expected");
    assertThat(client.say(say("and on"))).as(client.output()).contains("and on");
    assertThat(client.closePort()).as(client.output()).isEqualTo("closed");
  }

  private static int live() {
    return (int)
        site.gateway().bean(MeterRegistry.class).get("staithe.contexts.live").gauge().value();
  }

  /** Accepted ones. */
  private static int audited(String event) {
    return (int)
        site.gateway()
            .audit()
            .lines()
            .filter(line -> line.contains("\"event\":\"" + event + "\""))
            .filter(line -> line.contains("\"outcome\":\"ok\""))
            .count();
  }

  private static MetroClient client(String policy, String port, Duration lifetime)
      throws Exception {
    MetroClient client = CLIENTS.get(lifetime);
    if (client == null) {
      client =
          MetroClient.start(
              Files.createTempDirectory(folder, "metro"),
              site,
              site.caller().credential(),
              lifetime);
      CLIENTS.put(lifetime, client);
    }
    client.open(site.url(policy, AlgorithmList.INTEROP), port);
    return client;
  }

  private static String say(String text) {
    return "<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>"
        + text
        + "</e:say></e:echo>";
  }
}
