package dev.staithe.gateway.wss;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link EnginesAgreeTests} does with a few messages, with all of them: a twenty-fourth of the
 * forms of each, or by {@code -Dwrong-forms=all} every one.
 */
final class EveryWrongFormIT {
  static Stream<EnginesAgreeTests.Sample> samples() throws Exception {
    return EnginesAgreeTests.samples().filter(each -> each.message().length > 3_000);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void bothSayTheSameOfTheWrongFormsOfEachMessage(EnginesAgreeTests.Sample sample) {
    EnginesAgreeTests.compare(sample, "all".equals(System.getProperty("wrong-forms")) ? 1 : 24);
  }
}
