package dev.staithe.slcs.issue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.issue.AccessRules.Access;
import dev.staithe.slcs.session.CampusIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRulesTests {
  private static final Duration USUAL = Duration.ofHours(12);
  private static final Duration LONGEST = Duration.ofSeconds(1_000_000);
  private static final CampusIdentity STUDENT = with("student");
  private static final CampusIdentity STAFF = with("staff", "member");

  private static CampusIdentity with(String... affiliations) {
    return Somebody.with("ada@example.org", Map.of("eduPersonAffiliation", List.of(affiliations)));
  }

  private static AccessRule rule(boolean allow, String value, @Nullable Duration longest) {
    return new AccessRule(allow, null, "eduPersonAffiliation", List.of(value), List.of(), longest);
  }

  private static AccessRules rules(AccessRule... rules) {
    return new AccessRules(List.of(rules), USUAL, LONGEST);
  }

  @Test
  void withoutRulesEverybodyGetsTheUsualLifetime() {
    assertThat(rules().judge(STUDENT, null)).isEqualTo(new Access.Allowed(USUAL));
  }

  @Test
  void withRulesWhomNoneMatchesGetsNothing() {
    AccessRules rules = rules(rule(true, "staff", null));

    assertThat(rules.judge(STAFF, null)).isInstanceOf(Access.Allowed.class);
    assertThat(rules.judge(STUDENT, null)).isInstanceOf(Access.Denied.class);
  }

  @Test
  void firstRuleThatMatchesCounts() {
    AccessRules rules = rules(rule(false, "member", null), rule(true, "staff", null));

    assertThat(rules.judge(STAFF, null)).isInstanceOf(Access.Denied.class);
    assertThat(rules.judge(with("staff"), null)).isInstanceOf(Access.Allowed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Staff", "staff ", "st", "staffer", "*", ""})
  void valueThatOnlyLooksLikeTheOneNeededDoesNotMatch(String told) {
    assertThat(rules(rule(true, "staff", null)).judge(with(told), null))
        .isInstanceOf(Access.Denied.class);
  }

  @Test
  void ruleOfAProviderMatchesItsPeopleOnly() {
    AccessRules rules = rules(new AccessRule(true, "other", null, List.of(), List.of(), null));

    assertThat(rules.judge(STAFF, null)).isInstanceOf(Access.Denied.class);
  }

  @Test
  void ruleWithoutValuesWantsAnyValue() {
    AccessRules rules =
        rules(new AccessRule(true, null, "eduPersonAssurance", List.of(), List.of(), null));

    assertThat(rules.judge(STAFF, null)).isInstanceOf(Access.Denied.class);
    assertThat(
            rules.judge(
                Somebody.with("a@example.org", Map.of("eduPersonAssurance", List.of("x"))), null))
        .isInstanceOf(Access.Allowed.class);
  }

  @Test
  void ruleShortensTheUsualLifetimeAndRefusesALongerOne() {
    AccessRules rules = rules(rule(true, "student", Duration.ofHours(1)));

    assertThat(rules.judge(STUDENT, null)).isEqualTo(new Access.Allowed(Duration.ofHours(1)));
    assertThat(rules.judge(STUDENT, Duration.ofHours(2))).isInstanceOf(Access.OutOfRange.class);
  }

  @Test
  void ruleCannotLengthenWhatHoldsForAll() {
    AccessRules rules =
        new AccessRules(
            List.of(rule(true, "staff", Duration.ofDays(10))), USUAL, Duration.ofDays(1));

    assertThat(rules.judge(STAFF, Duration.ofDays(2))).isInstanceOf(Access.OutOfRange.class);
  }

  @ParameterizedTest
  @CsvSource({"1000000,true", "1000001,false", "300,true", "299,false", "12,false", "0,false"})
  void lifetimeIsAMillionSecondsAtMostAndFiveMinutesAtLeast(long seconds, boolean granted) {
    assertThat(rules().judge(STAFF, Duration.ofSeconds(seconds)) instanceof Access.Allowed)
        .isEqualTo(granted);
  }

  @ParameterizedTest
  @CsvSource({
    "43200,43200",
    "12h,43200",
    "90m,5400",
    "2d,172800",
    "30s,30",
    "PT12H,43200",
    "P1D,86400",
    "P1DT1H,90000",
    " 60 ,60"
  })
  void lifetimeIsReadInAllItsForms(String text, long seconds) {
    assertThat(Lifetime.of(text)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "1.5h",
        "PT",
        "P",
        "P1Y",
        "P1M",
        "-PT1H",
        "PT-1H",
        "twelve",
        "9999999999999",
        "1w",
        "١٢",
        "0x10"
      })
  void lifetimeInNoKnownFormIsRefused(String text) {
    assertThat(Lifetime.of(text)).isEmpty();
  }
}
