package dev.staithe.wss.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that could be read in two ways: which token, or which key, is not for us to choose. */
class AmbiguousAnswerTests {
  private static final String ANSWER =
      new TokenAnswer.Issued(
              TrustVersion.OASIS,
              null,
              TrustVersion.OASIS,
              new ContextName("urn:uuid:1", null),
              "sct-1",
              null,
              new TokenAnswer.Key.Computed(new byte[32]),
              256,
              null,
              null)
          .payload();

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of(
            twice("(<wst:RequestSecurityTokenResponse[ >].*</wst:RequestSecurityTokenResponse>)"),
            "the collection does not hold one answer"),
        Arguments.of(within("RequestedSecurityToken"), "the answer does not hold one token"),
        Arguments.of(within("RequestedProofToken"), "the proof is not one element"),
        Arguments.of(
            (UnaryOperator<String>)
                text -> text.replaceAll("(<wst:ComputedKey>)[^<]*", "$1urn:another"),
            "the key is not computed by P_SHA-1 from what both sides added"));
  }

  private static UnaryOperator<String> twice(String pattern) {
    return text -> text.replaceAll(pattern, "$1$1");
  }

  private static UnaryOperator<String> within(String name) {
    return twice("(?<=<wst:" + name + ">)(.*)(?=</wst:" + name + ">)");
  }

  @ParameterizedTest
  @MethodSource("answers")
  void answerWhenItSaysTwoThingsThenIsRefused(UnaryOperator<String> change, String line) {
    assertThat(read(ANSWER)).isInstanceOf(TrustReading.Read.class);
    String changed = change.apply(ANSWER);
    assertThat(changed).isNotEqualTo(ANSWER);
    assertThat(read(changed))
        .isInstanceOfSatisfying(
            TrustReading.Refused.class, refused -> assertThat(refused.line()).isEqualTo(line));
  }

  private static TrustReading<TokenAnswer> read(String payload) {
    String body =
        "<s:Body xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">" + payload + "</s:Body>";
    return TokenAnswer.read(body.getBytes(StandardCharsets.UTF_8));
  }
}
