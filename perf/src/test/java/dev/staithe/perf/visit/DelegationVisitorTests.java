package dev.staithe.perf.visit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.DelegationTask;
import dev.staithe.perf.lean.DelegationTask.Errand;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.scenario.TestDelegations;
import dev.staithe.perf.user.UserDriver;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DelegationVisitorTests {
  @TempDir Path folder;
  private TestDelegations services;
  private Path authority;
  private Path credential;

  @BeforeEach
  void open() throws IOException {
    services = new TestDelegations();
    ThrowAwayAuthority made = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    authority = made.certificateFile();
    ThrowAwayAuthority.Host host = made.localhost();
    credential =
        Files.writeString(
            folder.resolve("credential.pem"),
            Files.readString(host.key()) + Files.readString(host.certificate()));
  }

  @AfterEach
  void close() {
    services.close();
  }

  @Test
  void aDelegationIsAProxyForTheKeyThatTheServiceHasMade() throws IOException {
    Outcome outcome = perform(Errand.NEW, services.url());

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(2);
    assertThat(outcome.parts().keySet())
        .containsExactly(
            DelegationVisitor.REQUEST, DelegationVisitor.SIGNATURE, DelegationVisitor.PUT);
    assertThat(services.asked)
        .startsWith("getNewProxyReq", "putProxy", "getNewProxyReq", "putProxy");
  }

  @Test
  void whoNamesDelegationsUsesEachNameOnce() throws IOException {
    Outcome outcome = perform(Errand.NAMED, services.url());

    assertThat(outcome.failure()).isEmpty();
    assertThat(services.asked).startsWith("getProxyReq", "putProxy", "getProxyReq", "putProxy");
  }

  @ParameterizedTest
  @EnumSource
  void whatWasDelegatedIsDestroyedAfterTheMeasuredTime(Errand errand) throws IOException {
    var phases = new ArrayList<String>();
    Visits.perform(
        task(errand, services.url()),
        Clock.systemUTC(),
        phase -> phases.add(phase + " " + services.asked.contains("destroy")));

    assertThat(phases).containsExactly(UserDriver.MEASURE + " false", UserDriver.COOL + " false");
    assertThat(services.size()).isZero();
  }

  @Test
  void inASessionOneDelegationIsMadeBeforeAllCalls() throws IOException {
    Outcome outcome = perform(Errand.CALL_IN_SESSION, services.url());

    assertThat(outcome.failure()).isEmpty();
    assertThat(services.asked)
        .containsExactly(
            "getNewProxyReq",
            "putProxy",
            "echo for somebody",
            "echo for somebody",
            "echo for somebody",
            "destroy");
  }

  @Test
  void eachCallCanHaveADelegationOfItsOwn() throws IOException {
    Outcome outcome = perform(Errand.CALL_WITH_NEW, services.url());

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(2);
    assertThat(services.asked)
        .filteredOn("getNewProxyReq"::equals)
        .as("one more before the measured time")
        .hasSize(3);
  }

  @Test
  void aCallThatTellsOfNothingIsNotTakenForOneThatActs() throws IOException {
    Outcome outcome = perform(Errand.CALL, services.url());

    assertThat(outcome.failure()).isEmpty();
    assertThat(services.asked).containsOnly("echo");
  }

  @Test
  void aCallThatIsRefusedIsAFailure() throws IOException {
    Outcome outcome = perform(Errand.CALL_WITH_NEW, "http://127.0.0.1:1");

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.failure()).startsWith("echoString was answered 500");
  }

  private Outcome perform(Errand errand, String told) throws IOException {
    return Visits.perform(task(errand, told), Clock.systemUTC(), phase -> {});
  }

  private DelegationTask task(Errand errand, String told) {
    return new DelegationTask(
        errand,
        services.url() + "/services/delegation",
        told,
        services.url() + "/services/",
        1,
        2,
        60,
        authority.toString(),
        credential.toString());
  }
}
