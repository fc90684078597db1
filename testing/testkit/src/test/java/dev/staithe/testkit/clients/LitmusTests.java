package dev.staithe.testkit.clients;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LitmusTests {
  private static final String OUTPUT =
      """
      -> running `basic':
      \r 0. init.................. \r 0. init.................. pass
      \r 1. begin................. \r 1. begin................. FAIL (Could not create: 501
      Server must allow `MKCOL /litmus/' for tests to proceed)
      <- summary for `basic': of 2 tests run: 1 passed, 1 failed. 50.0%
      -> running `locks':
      \r 0. init.................. \r 0. init.................. pass
      \r10. cond_put.............. \r10. cond_put.............. SKIPPED
      \r11. delete_fragment....... \r11. delete_fragment....... WARNING: DELETE removed it
          ...................... pass (with 1 warning)
      <- summary for `locks': of 3 tests run: 2 passed, 0 failed. 100.0%
      -> 1 test was skipped.
      """;

  @Test
  void everyCaseThatDidNotSimplyPassIsAComplaint() {
    Litmus.Result result = Litmus.read(1, OUTPUT);

    assertThat(result.passed()).isEqualTo(2);
    assertThat(result.complaints())
        .containsExactly(
            new Litmus.Complaint("basic", "begin", "FAIL (Could not create: 501"),
            new Litmus.Complaint("locks", "cond_put", "SKIPPED"),
            new Litmus.Complaint("locks", "delete_fragment", "WARNING: DELETE removed it"));
  }
}
