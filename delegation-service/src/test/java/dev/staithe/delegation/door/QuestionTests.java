package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.pki.GridSubject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class QuestionTests {
  private static final Set<String> FIELDS =
      Set.of("id", "key", "rules", "request", "lifetime", "pathLength", "limited", "delegator");

  private static final AcquireRules USUAL =
      new AcquireRules(
          List.of(GridSubject.parse("CN=robot,C=DE")), 7, 2, true, Duration.ofHours(12));

  private static void readAll(String text) throws CallRefused {
    Question asked = Question.of(text, FIELDS);
    asked.id("id");
    asked.key("key");
    asked.text("request");
    asked.subject("delegator");
    asked.wish();
    asked.rules("rules", USUAL);
  }

  private static void readOrRefusedInOneLine(String text) {
    try {
      readAll(text);
    } catch (CallRefused e) {
      assertThat(e.fault().line()).matches("[ -~]{5,250}");
    }
  }

  @Property(tries = 300)
  void whateverIsSentIsReadOrRefusedInOneLine(@ForAll String text) {
    readOrRefusedInOneLine(text);
  }

  @Provide
  Arbitrary<String> values() {
    Arbitrary<String> texts =
        Arbitraries.strings()
            .ofMaxLength(40)
            .map(text -> JsonMapper.shared().writeValueAsString(text));
    return Arbitraries.oneOf(
        texts,
        texts.map(text -> "[" + text + "]"),
        texts.map(text -> "{\"acquirers\":[" + text + "]}"),
        texts.map(text -> "{\"longest\":" + text + "}"),
        Arbitraries.longs().map(String::valueOf),
        Arbitraries.longs().map(number -> "{\"uses\":" + number + ",\"hops\":" + number + "}"),
        Arbitraries.doubles().map(number -> "{\"longest\":" + number + "}"),
        Arbitraries.of(
            "null", "true", "{}", "[]", "1e999", "-0", "[[[[]]]]", "{\"limited\":null}"));
  }

  @Property(tries = 1000)
  void anyValueOfAnyFieldIsReadOrRefusedInOneLine(@ForAll("values") String value) {
    for (String field : FIELDS) {
      readOrRefusedInOneLine("{\"" + field + "\":" + value + "}");
    }
  }

  @Test
  void rulesThatAreNotToldAreTheUsualOnes() throws CallRefused {
    assertThat(Question.rules(Question.of("{}", Question.RULES), USUAL)).isEqualTo(USUAL);
    assertThat(Question.of("{}", FIELDS).rules("rules", USUAL)).isNull();
  }

  @Test
  void nullUsesAreNoLimitAndMissingOnesTheUsual() throws CallRefused {
    assertThat(Question.rules(Question.of("{\"uses\":null}", Question.RULES), USUAL).uses())
        .isNull();
    assertThat(Question.rules(Question.of("", Question.RULES), USUAL).uses()).isEqualTo(7);
  }

  @Test
  void acquirersAreReadInBothWaysOfWriting() throws CallRefused {
    String text = "{\"acquirers\":[\"/C=DE/O=Example/CN=Ada\",\"CN=Ada,O=Example,C=DE\"]}";

    AcquireRules rules = Question.rules(Question.of(text, Question.RULES), USUAL);

    assertThat(rules.acquirers()).hasSize(2);
    assertThat(rules.acquirers().getFirst()).isEqualTo(rules.acquirers().getLast());
  }

  @Test
  void acquirerWhoseNameIsTooLongToBeKeptIsRefused() throws CallRefused {
    String kept = "{\"acquirers\":[\"CN=" + "x".repeat(1092) + ",C=DE\"]}";
    Question tooLong = Question.of(kept.replaceFirst("x", "xx"), Question.RULES);

    assertThat(Question.rules(Question.of(kept, Question.RULES), USUAL).acquirers()).hasSize(1);
    assertThatThrownBy(() -> Question.rules(tooLong, USUAL))
        .isInstanceOf(CallRefused.class)
        .hasMessage("the name of an acquirer is longer than 1100 characters");
  }

  @Test
  void emptyListOfAcquirersNamesNobody() throws CallRefused {
    assertThat(Question.rules(Question.of("{\"acquirers\":[]}", Question.RULES), USUAL).acquirers())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"60,60", "90m,5400", "12h,43200", "2d,172800", "12H,43200"})
  void lifetimesAreReadAsPeopleWriteThem(String written, long seconds) throws CallRefused {
    assertThat(Question.of("{\"lifetime\":\"" + written + "\"}", FIELDS).wish().lifetime())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.5", "\"1w\"", "\"12 h\"", "\"PT12H\"", "\"\"", "true"})
  void lifetimesThatAreNoneAreNot(String written) throws CallRefused {
    Question asked = Question.of("{\"lifetime\":" + written + "}", FIELDS);

    assertThatThrownBy(asked::wish)
        .isInstanceOf(CallRefused.class)
        .hasMessageStartingWith("lifetime is not seconds");
  }

  @Test
  void refusalRepeatsNothingOfWhatWasSent() {
    for (String text :
        List.of(
            "{\"secret\":1}",
            "{\"id\":\"secret/\"}",
            "{\"key\":\"secret\"}",
            "{\"delegator\":\"secret\"}",
            "{\"rules\":{\"secret\":1}}",
            "secret")) {
      assertThatThrownBy(() -> readAll(text))
          .isInstanceOf(CallRefused.class)
          .message()
          .doesNotContain("secret");
    }
  }
}
