package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.gatling.QuietGatling;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.scenario.GatlingInTurn.Run;
import dev.staithe.perf.services.StaticBackEnd;
import dev.staithe.perf.stores.StaithePeer;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The simulations, here short ones. An engineer runs each in a JVM of its own; most of these take
 * turns in one, whose start costs more than such a run, and {@link #alone} is as the engineer's.
 */
final class SimulationsIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @TempDir static Path folder;
  private static Site site;
  private static RunningPeer first;
  private static RunningPeer second;
  private static GatlingInTurn gatling;

  @BeforeAll
  static void start() throws IOException {
    var peer = new StaithePeer(REPOSITORY, StaithePeer.Variant.CONSCRYPT);
    if (peer.readiness() instanceof Readiness.Missing(String reason)) {
      fail(reason);
    }
    site = Site.make(REPOSITORY, folder.resolve("site"));
    first = peer.start(site, Files.createDirectories(folder.resolve("first")), Core.ANY);
    second = peer.start(site, Files.createDirectories(folder.resolve("second")), Core.ANY);
    gatling = GatlingInTurn.start(java());
  }

  @AfterAll
  static void stop() throws IOException {
    if (gatling != null) {
      gatling.close();
    }
    Stream.of(first, second).filter(peer -> peer != null).forEach(RunningPeer::close);
  }

  @Test
  void mixedSimulationMakesEveryKindOfRequestWithoutAFailureAndCleansUp() throws IOException {
    Run run = alone(MixedSimulation.class, staithe("perf.seconds", "5"));

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("Global: count of failed events is 0.0 : true (actual : 0.0)")
        .containsPattern("markers +[1-9]");
    assertThat(Exercise.values())
        .allSatisfy(
            exercise ->
                assertThat(run.output())
                    .containsPattern(
                        exercise.label()
                            + ": count of all events is greater than 0.0 : true \\(actual : [1-9]"));
    // Besides, a storage element has a hidden folder of its own there.
    assertThat(first.data()).isDirectoryNotContaining("glob:**/gatling-*");
    assertThat(second.data()).isDirectoryNotContaining("glob:**/gatling-*");
    assertThat(run.output())
        .as("the token is nobody's business")
        .doesNotContain(first.token())
        .doesNotContain(second.token());
  }

  @Test
  void openModelBringsUsersAtTheRateAskedFor() throws IOException {
    Run run = run(DownloadSimulation.class, staithe("perf.rate", "20"));

    assertThat(run.code()).as(run.output()).isZero();
    // 20 a second for two seconds, but for those that begin on the border of a phase.
    assertThat(run.output())
        .containsPattern("download: count of .*: true \\(actual : (3[6-9]|4[0-4])\\.0");
  }

  @Test
  void usersOfASessionServiceDoWhatTheModelSays() throws IOException {
    try (var service = new TestSessionService(1, 0)) {
      Run run = run(AuthnSimulation.class, sessions(service, TestSessionService.PASSWORD));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(run.output())
          .contains("check of the mix: count of successful events is 1.0 : true")
          .containsPattern("[1-9][0-9]* logins, [1-9][0-9]* validations, [1-9][0-9]* logouts")
          .doesNotContain("the mix is wrong");
    }
  }

  @Test
  void wrongPasswordOfASessionServiceFailsTheRun() throws IOException {
    try (var service = new TestSessionService(1, 0)) {
      Run run = run(AuthnSimulation.class, sessions(service, "wrong"));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("found 401");
    }
  }

  private static List<String> sessions(TestSessionService service, String password)
      throws IOException {
    Path file = Files.writeString(folder.resolve("password"), password);
    return List.of(
        "perf.url=" + service.urls().getFirst(),
        "perf.password-file=" + file,
        "perf.users=20",
        "perf.pause-millis=50",
        "perf.logout-percent=20");
  }

  @Test
  void campusUsersLogInByTheEnhancedProfileAndCall() throws IOException {
    try (var campus = new TestCampus()) {
      Run run = run(SlcsSimulation.class, campusUsers(campus, TestCampus.PASSWORD));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(campus.asked.subList(0, 4)).contains("challenge");
      assertThat(campus.asked).contains("assertion", "echo");
    }
  }

  @Test
  void wrongPasswordOfACampusFailsTheRun() throws IOException {
    try (var campus = new TestCampus()) {
      Run run = run(SlcsSimulation.class, campusUsers(campus, "wrong"));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("found 401");
    }
  }

  @Test
  void eachCallHasADelegationOfItsOwnWhereThatIsAskedFor() throws IOException {
    try (var services = new TestDelegations()) {
      Run run = run(DelegationSimulation.class, delegatingUsers(services, services.url(), 1));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(count(services, "echo for somebody"))
          .isPositive()
          // Whoever has delegated when the run ends does not call any more.
          .isBetween(count(services, "putProxy") - 2, count(services, "putProxy"));
    }
  }

  @Test
  void aSessionHasOneDelegationForAllOfAUsersCalls() throws IOException {
    try (var services = new TestDelegations()) {
      Run run = run(DelegationSimulation.class, delegatingUsers(services, services.url(), 0));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(count(services, "putProxy")).isEqualTo(2);
      assertThat(count(services, "echo for somebody")).isGreaterThan(10);
    }
  }

  @Test
  void callThatIsNotMadeInTheUsersNameFailsTheRun() throws IOException {
    try (var services = new TestDelegations();
        var others = new TestDelegations()) {
      Run run = run(DelegationSimulation.class, delegatingUsers(services, others.url(), 1));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("found 500");
    }
  }

  @Test
  void answerWithNothingToBeSignedFailsItsRequest() throws IOException {
    try (var services = new TestDelegations()) {
      services.asksNothing = true;
      List<String> settings = new ArrayList<>(delegatingUsers(services, services.url(), 1));
      settings.add("perf.seconds=1");
      Run run = run(DelegationSimulation.class, settings);

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("count of failed events is 0.0 : false");
    }
  }

  @Test
  void answerOfAProviderForAnotherServiceFailsItsRequest() throws IOException {
    try (var campus = new TestCampus()) {
      campus.consumer = campus.url() + "/elsewhere";
      List<String> settings = new ArrayList<>(campusUsers(campus, TestCampus.PASSWORD));
      settings.add("perf.seconds=1");
      Run run = run(SlcsSimulation.class, settings);

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("count of failed events is 0.0 : false");
      assertThat(campus.asked).doesNotContain("assertion");
    }
  }

  private static long count(TestDelegations services, String operation) {
    return services.asked.stream().filter(operation::equals).count();
  }

  private static List<String> delegatingUsers(TestDelegations services, String called, int calls)
      throws IOException {
    site.addPerson("ada");
    Path credential =
        Files.writeString(
            folder.resolve("ada-credential.pem"),
            Files.readString(site.key("ada")) + Files.readString(site.certificate("ada")));
    return List.of(
        "perf.url=" + services.url(),
        "perf.call-url=" + called + "/services/",
        "perf.credential=" + credential,
        "perf.users=2",
        "perf.pause-millis=20",
        // Long enough for a whole visit on a machine that does other work, too.
        "perf.seconds=8",
        "perf.calls=" + calls);
  }

  private static List<String> campusUsers(TestCampus campus, String password) throws IOException {
    Path file = Files.writeString(folder.resolve("campus-password"), password);
    return List.of(
        "perf.url=" + campus.url(),
        "perf.provider-url=" + campus.enhancedUrl(),
        "perf.seconds=6",
        "perf.password-file=" + file,
        "perf.users=2",
        "perf.pause-millis=20",
        "perf.calls=2");
  }

  @Test
  void serverThatAnswersNotFoundFailsTheRun() throws IOException {
    try (var server = new Canned(404, () -> "")) {
      Run run = run(DownloadSimulation.class, List.of("perf.url=" + server.url()));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output())
          .contains("found 404")
          .contains("count of failed events is 0.0 : false");
    }
  }

  @Test
  void copyThatEndsInAFailureFailsTheRunThoughItsStatusIsGood() throws IOException {
    try (var server = new Canned(201, () -> marker(0) + "failure: rejected GET: 404 Not Found\n")) {
      Run run =
          run(
              CopyPullSimulation.class,
              List.of("perf.url=" + server.url(), "perf.second-url=" + server.url()));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("failure: rejected GET: 404");
    }
  }

  @Test
  void copyWhoseFirstMarkerComesLateFailsTheRun() throws IOException {
    try (var server = new Canned(201, () -> marker(20) + "success: Created\n")) {
      Run run =
          run(
              CopyPushSimulation.class,
              List.of("perf.url=" + server.url(), "perf.second-url=" + server.url()));

      assertThat(run.code()).as(run.output()).isEqualTo(2);
      assertThat(run.output()).contains("the first marker came late");
    }
  }

  @Test
  void serverWhoseAuthorityIsNotTrustedGetsNoRequest() throws IOException {
    Run run =
        run(
            DownloadSimulation.class,
            staithe("perf.seconds", "1").stream()
                .filter(setting -> !setting.startsWith("perf.ca="))
                .toList());

    assertThat(run.code()).as(run.output()).isEqualTo(2);
    assertThat(run.output()).contains("unable to find valid certification path");
  }

  @Test
  void preparedMessagesGoRoundThroughAGateway() throws IOException {
    try (RunningPeer backEnd = backEnd()) {
      Run run = run(GatewaySimulation.class, orders(backEnd, "perf.circular=true"));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(run.output()).containsPattern("call: count of .* \\(actual : [1-9][0-9]");
    }
  }

  @Test
  void uniqueMessagesOfAGatewayEndTheRunWhenNoneIsLeft() throws IOException {
    try (RunningPeer backEnd = backEnd()) {
      Run run = run(GatewaySimulation.class, orders(backEnd, "perf.warm-up-seconds=0"));

      assertThat(run.code()).as(run.output()).isZero();
      assertThat(run.output()).containsPattern("call: count of .* \\(actual : 40\\.0\\)");
    }
  }

  private static RunningPeer backEnd() throws IOException {
    // Root's servers run as nobody, who has to get there.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new StaticBackEnd().start(site, Files.createTempDirectory(folder, "back-end"), Core.ANY);
  }

  private static List<String> orders(RunningPeer backEnd, String set) {
    return List.of(
        "perf.url=" + backEnd.door(Door.HTTP) + "none", "perf.users=2", "perf.messages=40", set);
  }

  @Test
  void settingThatIsMissingEndsTheRunInOneLine() throws IOException {
    Run run = alone(DownloadSimulation.class, List.of());

    assertThat(run.code()).as(run.output()).isEqualTo(64);
    assertThat(run.output()).contains("simulation: perf.url is missing").doesNotContain("\tat ");
  }

  @Test
  void messagesThatCannotBeMadeEndTheRunInOneLine() throws IOException {
    Run run =
        alone(
            GatewaySimulation.class,
            List.of(
                "perf.url=https://localhost:1/x509",
                "perf.protection=x509",
                "perf.credential=/no/such/file",
                "perf.service-certificate=/no/such/file"));

    assertThat(run.code()).as(run.output()).isEqualTo(64);
    assertThat(run.output())
        .contains("simulation: messages cannot be made: ", "/no/such/file")
        .doesNotContain("\tat ");
  }

  private static List<String> staithe(String name, String value) throws IOException {
    return List.of(
        "perf.url=" + first.doors().get(Door.HTTPS),
        "perf.token-file=" + tokenFile("first-token", first),
        "perf.second-url=" + second.doors().get(Door.HTTPS),
        "perf.second-token-file=" + tokenFile("second-token", second),
        "perf.ca=" + site.authority(),
        "perf.size=64KiB",
        "perf.range=4KiB",
        "perf.entries=5",
        // All six kinds within a few seconds, copies too.
        "perf.weights=upload=1,download=1,range=1,listing=1,pull=1,push=1",
        name + "=" + value);
  }

  private static Path tokenFile(String name, RunningPeer peer) throws IOException {
    Path file = folder.resolve(name);
    if (Files.notExists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, peer.token());
    }
    return file;
  }

  /** Runs a simulation with these settings; the later of two with the same name counts. */
  private static Run run(Class<? extends Simulation> simulation, List<String> settings)
      throws IOException {
    return gatling.run(set(settings), arguments(simulation));
  }

  /** The same in a JVM that is there for it alone. */
  private static Run alone(Class<? extends Simulation> simulation, List<String> settings)
      throws IOException {
    List<String> command = java();
    set(settings).forEach(setting -> command.add("-D" + setting));
    command.add("io.gatling.app.Gatling");
    command.addAll(arguments(simulation));
    Path log = Files.createTempFile(folder, simulation.getSimpleName(), ".log");
    try (ManagedProcess process = ManagedProcess.start(command, Map.of(), log)) {
      int code = process.awaitEnd(GatlingInTurn.LONGEST);
      return new Run(code, process.output());
    }
  }

  private static List<String> java() throws IOException {
    return new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
            QuietGatling.option(folder.resolve("preferences")),
            "-cp",
            System.getProperty("java.class.path")));
  }

  private static List<String> set(List<String> settings) {
    return Stream.concat(
            Stream.of("perf.warm-up-seconds=1", "perf.seconds=2", "perf.cool-down-seconds=0"),
            settings.stream())
        .toList();
  }

  private static List<String> arguments(Class<? extends Simulation> simulation) {
    return List.of(
        "--simulation",
        simulation.getName(),
        "--results-folder",
        folder.resolve("results").toString(),
        "--no-reports");
  }

  private static String marker(int secondsFromNow) {
    return "Perf Marker\nTimestamp: %d\nStripe Bytes Transferred: 0\nEnd\n"
        .formatted(System.currentTimeMillis() / 1000 + secondsFromNow);
  }
}
