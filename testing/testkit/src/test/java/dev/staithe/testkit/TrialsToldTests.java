package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrialsToldTests {
  @Test
  void whatTestsAndPropertiesSayIsAddedUp() {
    assertThat(TrialsTold.in("before\ntrials = 40\ntrials = 2\n")).isEqualTo(42);
    assertThat(
            TrialsTold.in(
                "tries = 1000   | # of calls to property\n"
                    + "checks = 990   | # of not rejected calls\n"))
        .isEqualTo(990);
  }

  @Test
  void whatOnlyLooksLikeItCountsNothing() {
    assertThat(TrialsTold.in("of trials = 40\ntrials = 40 or so\nchecks = 3\n")).isZero();
  }
}
