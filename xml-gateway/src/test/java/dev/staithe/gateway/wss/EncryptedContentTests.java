package dev.staithe.gateway.wss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.Parts;
import dev.staithe.wss.stream.StreamEngine;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits hold for what was encrypted as for what was not, by both engines alike. */
class EncryptedContentTests {
  private static final Parties PARTIES = new Parties();
  private static final String CONTENT =
      "<e:echo xmlns:e=\"urn:example:echo\"><e:text>a &amp; b &lt; ü</e:text></e:echo>";

  private record Both(Opening stream, Opening tree) {}

  private static Both open(EndpointPolicy policy, String content) throws Exception {
    byte[] message =
        new Initiator(policy)
            .secure(Initiator.PLAIN.replace(CONTENT, content), PARTIES.context(policy));
    PARTIES.at(Clock.fixed(Instant.now(), ZoneOffset.UTC));
    var arrival = Parties.arrival(message, policy);
    return new Both(
        new StreamEngine(PARTIES.surroundings()).open(arrival),
        new DomEngine(PARTIES.surroundings()).open(arrival));
  }

  private static void opened(Opening opening) {
    assertThat(opening).isInstanceOf(Opening.Opened.class);
  }

  private static void refused(Opening opening) {
    assertThat(opening)
        .isInstanceOfSatisfying(
            Opening.Refused.class,
            it -> assertThat(it.reason()).isIn(Refusal.DECRYPTION, Refusal.LIMIT));
  }

  private static String nested(int depth) {
    return "<a>".repeat(depth) + "</a>".repeat(depth);
  }

  private static String attributes(int count) {
    var tag = new StringBuilder("<a");
    for (int i = 0; i < count; i++) {
      tag.append(" a").append(i).append("=\"\"");
    }
    return tag + "></a>";
  }

  /** Envelope and Body are two of the 64. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void depthCountsFromTheEnvelope(boolean encrypted) throws Exception {
    EndpointPolicy policy = policy(encrypted);
    Both within = open(policy, nested(62));
    opened(within.stream());
    opened(within.tree());

    Both beyond = open(policy, nested(63));
    refused(beyond.stream());
    refused(beyond.tree());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attributesOfAnElementAreCounted(boolean encrypted) throws Exception {
    EndpointPolicy policy = policy(encrypted);
    Both within = open(policy, attributes(64));
    opened(within.stream());
    opened(within.tree());

    Both beyond = open(policy, attributes(65));
    refused(beyond.stream());
    refused(beyond.tree());
  }

  private static EndpointPolicy policy(boolean encrypted) {
    var policy = Policies.conversation();
    return (encrypted ? policy : policy.encrypting(Parts.NONE)).policy();
  }
}
