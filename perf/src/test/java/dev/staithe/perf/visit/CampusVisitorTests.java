package dev.staithe.perf.visit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.CampusTask;
import dev.staithe.perf.lean.CampusTask.Act;
import dev.staithe.perf.lean.CampusTask.Reuse;
import dev.staithe.perf.lean.CampusTask.Way;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.scenario.TestCampus;
import dev.staithe.perf.user.UserDriver;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CampusVisitorTests {
  @TempDir Path folder;
  private TestCampus campus;
  private Path authority;

  @BeforeEach
  void open() throws IOException {
    campus = new TestCampus();
    authority = ThrowAwayAuthority.in(folder, Clock.systemUTC()).certificateFile();
  }

  @AfterEach
  void close() {
    campus.close();
  }

  @ParameterizedTest
  @EnumSource
  void whoReusesNothingIsAskedForThePasswordAtEachVisit(Way way) throws IOException {
    Outcome outcome = perform(way, Reuse.NOTHING, TestCampus.PASSWORD);

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(2);
    assertThat(campus.asked)
        .containsExactly(
            "challenge",
            "password user-0",
            "assertion",
            "echo",
            "challenge",
            "password user-0",
            "assertion",
            "echo");
  }

  @ParameterizedTest
  @EnumSource
  void whoIsKnownToTheProviderSendsNoPasswordAgain(Way way) throws IOException {
    Outcome outcome = perform(way, Reuse.PROVIDER, TestCampus.PASSWORD);

    assertThat(outcome.failure()).isEmpty();
    assertThat(campus.asked)
        .containsExactly(
            "challenge",
            "password user-0",
            "assertion",
            "challenge",
            "known",
            "assertion",
            "echo",
            "challenge",
            "known",
            "assertion",
            "echo");
  }

  @ParameterizedTest
  @EnumSource
  void whoIsKnownToTheServiceOnlyCalls(Way way) throws IOException {
    Outcome outcome = perform(way, Reuse.SERVICE, TestCampus.PASSWORD);

    assertThat(outcome.failure()).isEmpty();
    assertThat(campus.asked)
        .containsExactly("challenge", "password user-0", "assertion", "echo", "echo");
    assertThat(outcome.parts()).as("there is one type of request").isEmpty();
  }

  @Test
  void theStepsOfAFlowAreTimedAndThoseBeforeTheMeasuredPhaseAreNot() throws IOException {
    Outcome outcome = perform(Way.BROWSER, Reuse.PROVIDER, TestCampus.PASSWORD);

    assertThat(outcome.parts().keySet())
        .containsExactly(
            CampusVisitor.CHALLENGE,
            CampusVisitor.FORM,
            CampusVisitor.ASSERTION,
            CampusVisitor.CALL);
    assertThat(outcome.parts().values()).allMatch(part -> part.requests() == 2);
  }

  @ParameterizedTest
  @EnumSource
  void aWrongPasswordIsAFailureAndNoVisit(Way way) throws IOException {
    Outcome outcome = perform(way, Reuse.NOTHING, "wrong");

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isEqualTo(2);
    assertThat(outcome.failure()).isNotEmpty();
  }

  @Test
  void anAssertionForAnotherServiceIsNotCarriedThere() throws IOException {
    campus.consumer = campus.url() + "/elsewhere";

    Outcome outcome = perform(Way.ECP, Reuse.NOTHING, TestCampus.PASSWORD);

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.failure()).startsWith("the provider answers another service");
    assertThat(campus.asked).doesNotContain("assertion");
  }

  @Test
  void aCallThatIsRefusedIsAFailure() throws IOException {
    // Nobody logs in, and the path is not the open one.
    Outcome outcome =
        Visits.perform(
            task(Way.ECP, Reuse.ANONYMOUS, TestCampus.PASSWORD, "/echo", ""), phase -> {});

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isPositive();
  }

  @Test
  void aBrowserKeepsTheResponseItCarried() throws IOException {
    Path response = folder.resolve("response");

    Visits.perform(
        task(Way.BROWSER, Reuse.NOTHING, TestCampus.PASSWORD, "/echo", response.toString()),
        phase -> {});

    assertThat(response).hasContent("Response");
    assertThat(Files.size(response)).isEqualTo("Response".length());
  }

  private Outcome perform(Way way, Reuse reuse, String password) throws IOException {
    List<String> phases = new ArrayList<>();
    Outcome outcome = Visits.perform(task(way, reuse, password, "/echo", ""), phases::add);
    assertThat(phases).containsExactly(UserDriver.MEASURE, UserDriver.COOL);
    return outcome;
  }

  private CampusTask task(Way way, Reuse reuse, String password, String path, String keep) {
    return new CampusTask(
        Act.ECHO,
        way,
        reuse,
        campus.url(),
        path,
        "/echo",
        campus.enhancedUrl(),
        1,
        true,
        60,
        2,
        10,
        password,
        authority.toString(),
        "",
        "",
        keep);
  }
}
