package dev.staithe.wss.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests and answers about contexts with each of their octets changed or cut off: read as another
 * one that can be written and read again, or refused; nothing is thrown, and no secret shrinks.
 */
class ChangedTextTests {
  private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
  private static final byte[] ENTROPY = new byte[32];

  static Stream<Arguments> texts() {
    Function<byte[], TrustReading<TokenRequest>> requests = TokenRequest::read;
    Function<byte[], TrustReading<TokenAnswer>> answers = TokenAnswer::read;
    var name = new ContextName("urn:uuid:1", "urn:i");
    var lifetime = new Lifetime(NOW, NOW.plusSeconds(60));
    return Stream.of(TrustVersion.values())
        .flatMap(
            version ->
                Stream.of(
                    Arguments.of(
                        new TokenRequest.Issue(
                                version, "urn:c", version, "https://g/e", 256, ENTROPY, lifetime)
                            .payload(),
                        requests),
                    Arguments.of(
                        new TokenRequest.Renew(version, null, name, null, 256, ENTROPY, null)
                            .payload(),
                        requests),
                    Arguments.of(new TokenRequest.Cancel(version, null, name).payload(), requests),
                    Arguments.of(
                        new TokenAnswer.Issued(
                                version,
                                null,
                                version,
                                name,
                                "sct-1",
                                null,
                                new TokenAnswer.Key.Computed(ENTROPY),
                                256,
                                NOW,
                                NOW.plusSeconds(60))
                            .payload(),
                        answers),
                    Arguments.of(new TokenAnswer.Cancelled(version, null).payload(), answers)));
  }

  private static byte[] body(String payload) {
    return ("<s:Body xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">" + payload + "</s:Body>")
        .getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("texts")
  void everyOctetThatIsChangedIsJudged(String payload, Function<byte[], TrustReading<?>> reader) {
    assertThat(reader.apply(body(payload))).isInstanceOf(TrustReading.Read.class);
    byte[] whole = body(payload);
    int refused = 0;
    for (int at = 0; at < whole.length; at++) {
      for (byte other : new byte[] {0, ' ', '<', '&', '"', 'A', '9', (byte) 0xC3}) {
        byte[] changed = whole.clone();
        changed[at] = other;
        refused += judged(reader.apply(changed)) ? 0 : 1;
      }
    }
    assertThat(refused).isGreaterThan(4 * whole.length);
  }

  @ParameterizedTest
  @MethodSource("texts")
  void everyTextThatIsCutIsRefused(String payload, Function<byte[], TrustReading<?>> reader) {
    byte[] whole = body(payload);
    for (int length = 0; length < whole.length; length++) {
      assertThat(judged(reader.apply(java.util.Arrays.copyOf(whole, length)))).isFalse();
    }
  }

  /** Whether it was read; then it can be written and is read as the same. */
  private static boolean judged(TrustReading<?> reading) {
    return switch (reading) {
      case TrustReading.Refused<?> _ -> false;
      case TrustReading.Read<?>(TokenRequest request) -> {
        byte[] entropy =
            switch (request) {
              case TokenRequest.Issue issue -> issue.entropy();
              case TokenRequest.Renew renew -> renew.entropy();
              case TokenRequest.Cancel _ -> null;
            };
        assertThat(entropy == null ? 16 : entropy.length).isBetween(16, 64);
        assertThat(TokenRequest.read(body(request.payload())))
            .usingRecursiveComparison()
            .isEqualTo(reading);
        yield true;
      }
      case TrustReading.Read<?>(TokenAnswer answer) -> {
        assertThat(TokenAnswer.read(body(answer.payload()))).isInstanceOf(TrustReading.Read.class);
        yield true;
      }
      case TrustReading.Read<?>(var other) -> throw new AssertionError(String.valueOf(other));
    };
  }
}
