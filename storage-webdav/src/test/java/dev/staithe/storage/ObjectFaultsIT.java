package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.peers.VersityServer;
import dev.staithe.service.OneLineFailure;
import dev.staithe.testkit.FaultyWay;
import dev.staithe.testkit.FaultyWay.Fault;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * What clients and operators are told where the object store of an area, or the way to it, fails
 * while a server runs, and that all is well without a restart when it is well again.
 */
final class ObjectFaultsIT {
  private static final String LINE = "the object store that keeps this area";
  private static final ShiftedClock CLOCK = new ShiftedClock();

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static VersityServer engine;
  private static FaultyWay way;
  private static RunningStorage storage;
  private static Path file;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  /** The machine's clock, but for what it is off. */
  private static final class ShiftedClock extends Clock {
    private volatile Duration off = Duration.ZERO;

    @Override
    public Instant instant() {
      return Instant.now().plus(off);
    }

    @Override
    public ZoneId getZone() {
      return Clock.systemUTC().getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("nobody asks for another");
    }
  }

  @BeforeAll
  static void start() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, CLOCK);
    engine = VersityServer.start("data");
    way = FaultyWay.to(engine.port());
    storage = RunningStorage.start(folder.resolve("here"), authority, issuer, settings(), CLOCK);
    file = Files.write(folder.resolve("file"), Sample.bytes(1, 3 << 20));
    assertThat(put("/data/there").status()).isEqualTo(201);
  }

  private static Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>(ObjectEngineIT.bucket(engine));
    settings.put("staithe.areas[0].s3.endpoint", way.endpoint());
    settings.put("staithe.areas[0].s3.redirect-from", "1MB");
    return settings;
  }

  @AfterAll
  static void end() throws IOException {
    storage.close();
    way.close();
    engine.close();
    issuer.close();
  }

  @BeforeEach
  void listen() {
    log.start();
    root().addAppender(log);
  }

  @AfterEach
  void mend() throws IOException {
    CLOCK.off = Duration.ZERO;
    way.always(null);
    root().detachAppender(log);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static Curl data(String path) {
    return storage.curl(path).token(storage.token());
  }

  private static Curl.Response put(String path) {
    return data(path).upload(file).run();
  }

  private static void isWhole(String path) throws IOException {
    assertThat(data(path).run().body()).isEqualTo(Files.readAllBytes(file));
  }

  /** One line that names neither host nor key, and an invitation to come back. */
  private static void isRefused(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
    assertThat(answer.header("Retry-After")).isPresent();
    assertThat(answer.text().strip())
        .contains(LINE)
        .doesNotContain("\n", "127.0.0.1", VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY);
  }

  private static Health health() {
    return storage.context().getBean("areasHealthIndicator", HealthIndicator.class).health();
  }

  private static void isDown(String reason) {
    Health now = health();
    assertThat(now.getStatus()).isEqualTo(Status.DOWN);
    assertThat(String.valueOf(now.getDetails().get("data")))
        .contains("writable=false", reason)
        .doesNotContain("127.0.0.1", VersityServer.SECRET_KEY);
  }

  /** Everything works again, without a restart. */
  private static void isWellAgain(String path) throws IOException {
    assertThat(put(path).status()).isIn(201, 204);
    isWhole(path);
    isWhole("/data/there");
    assertThat(health().getStatus()).isEqualTo(Status.UP);
  }

  private List<String> loggedLines() {
    return List.copyOf(log.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private void isLogged(String cause) {
    assertThat(loggedLines())
        .anySatisfy(line -> assertThat(line).contains(cause).doesNotContain("\n"))
        .noneSatisfy(line -> assertThat(line).contains(VersityServer.SECRET_KEY));
  }

  @Test
  void engineThatFailsOnceOrTwiceIsNotNoticed() throws IOException {
    way.next(new Fault.Says(503, "SlowDown"), new Fault.Says(500, "InternalError"));
    assertThat(put("/data/once").status()).isEqualTo(201);
    assertThat(way.left()).isZero();
    way.next(new Fault.Says(500, "InternalError"), new Fault.Says(503, "SlowDown"));
    isWhole("/data/once");
    assertThat(way.left()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "503, SlowDown, asks for patience: 503, asks for patience",
    "500, InternalError, failed: 500, fails"
  })
  void engineThatGoesOnFailingIsToldInOneLineWithItsCauseInTheLog(
      int status, String code, String cause, String reason) throws IOException {
    way.always(new Fault.Says(status, code));
    isRefused(put("/data/failing"));
    isRefused(data("/data/there").run());
    isLogged(cause);
    isDown(reason);
    way.always(null);
    isWellAgain("/data/failing-" + status);
  }

  @Test
  void lockSomewhereMakesAListingAskForNoMemberByItself() throws IOException {
    String lockinfo =
        "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope>"
            + "<D:locktype><D:write/></D:locktype></D:lockinfo>";
    Curl.Response lock = data("/data/locked").method("LOCK").body(lockinfo).run();
    assertThat(lock.status()).isEqualTo(201);
    int members = 50;
    for (int i = 0; i < members; i++) {
      Curl.Response put = data("/data/listed/" + i).method("PUT").body("x").run();
      assertThat(put.status()).isEqualTo(201);
    }
    // Each request that is none of those has a connection of its own then.
    way.always(new Fault.SaysToWrites(507, "XMinioStorageFull"));
    int before = way.connections();
    Curl.Response listing = data("/data/listed/").method("PROPFIND").header("Depth", "1").run();
    int asked = way.connections() - before;
    assertThat(listing.status()).isEqualTo(207);
    assertThat(listing.text()).contains("/data/listed/49</D:href>", "<D:lockdiscovery>");
    assertThat(asked).as("requests to the engine").isBetween(1, members / 2);
    way.always(null);
    Curl unlock = data("/data/locked").method("UNLOCK");
    String token = lock.header("Lock-Token").orElseThrow();
    assertThat(unlock.header("Lock-Token", token).run().status()).isEqualTo(204);
  }

  @Test
  void engineThatIsFullIsToldAsSuchAndTheFileOfBeforeStays() throws IOException {
    way.always(new Fault.Says(507, "XMinioStorageFull"));
    Curl.Response refused = put("/data/there");
    assertThat(refused.status()).as(refused.text()).isEqualTo(507);
    assertThat(refused.text().strip()).doesNotContain("\n", "127.0.0.1");
    isLogged("has no room left: 507");
    isDown("has no room left");
    way.always(null);
    isWellAgain("/data/full");
  }

  /** As Ceph says it: writes are refused, by a status that others have for keys. */
  @Test
  void quotaOfTheEngineIsNotTakenForItsKeysAndAllElseGoesOn() throws IOException {
    assertThat(put("/data/goes").status()).isIn(201, 204);
    Path large = Files.write(folder.resolve("large"), Sample.bytes(2, 17 << 20));
    way.always(new Fault.SaysToWrites(403, "QuotaExceeded"));
    for (Path each : List.of(file, large)) {
      Curl.Response refused = data("/data/there").upload(each).run();
      assertThat(refused.status()).as(refused.text()).isEqualTo(507);
      assertThat(refused.text().strip())
          .contains("no space left")
          .doesNotContain("\n", "127.0.0.1");
    }
    isDown("has no room left");
    assertThat(loggedLines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("area data cannot be written")
                    .contains("has no room left: 403 QuotaExceeded to PUT"))
        .noneSatisfy(line -> assertThat(line).contains("credentials"));
    isWhole("/data/there");
    assertThat(data("/data/goes").method("DELETE").run().status()).isEqualTo(204);
    way.always(null);
    isWellAgain("/data/goes");
  }

  @Test
  void bodyThatIsCutOffGoesOnAndIsNeverTakenForTheWhole() throws IOException {
    way.next(new Fault.CutsAfter(1_000_000), new Fault.CutsAfter(900_000));
    isWhole("/data/there");
    assertThat(way.left()).isZero();
    way.always(new Fault.CutsAfter(100_000));
    Curl.Response broken = data("/data/there").run();
    assertThat(broken.exitCode()).as("curl's complaint").isNotZero();
    assertThat(broken.body().length).isLessThan(3 << 20);
    isLogged("breaks off in the middle of an object");
    way.always(null);
    isWhole("/data/there");
  }

  @Test
  void engineWhoseBytesDripIsWaitedFor() throws IOException {
    way.always(new Fault.Drips(256 << 10, 100));
    isWhole("/data/there");
    assertThat(put("/data/dripping").status()).isEqualTo(201);
    way.always(null);
    isWhole("/data/dripping");
  }

  @Test
  void bucketThatIsGoneIsNotAnEmptyOneAndServesAgainWhenItIsBack() throws IOException {
    Path bucket = engine.dataFolder().resolve("data");
    Path away = engine.dataFolder().resolve("elsewhere");
    Files.move(bucket, away);
    try {
      isRefused(put("/data/gone"));
      isRefused(data("/data/there").run());
      isRefused(data("/data/never-was").run());
      isRefused(data("/data/there").method("DELETE").run());
      isRefused(data("/data/made/").method("MKCOL").run());
      isRefused(data("/data/").method("PROPFIND").header("Depth", "1").run());
      assertThat(data("/data/there").head().run().status()).isEqualTo(503);
      isLogged("has no bucket data: 404 NoSuchBucket to ");
      isDown("has no such bucket");
    } finally {
      Files.move(away, bucket);
    }
    isWellAgain("/data/gone");
  }

  @Test
  void keysThatAreRevokedAreToldAndServeAgainWhenTheyAreGoodAgain() throws IOException {
    engine.kill();
    engine.restart("the-secret-of-somebody-else");
    try {
      isRefused(put("/data/revoked"));
      isRefused(data("/data/there").run());
      isLogged("does not accept the credentials, or they do not do: 403 ");
      isDown("does not accept the credentials");
    } finally {
      engine.kill();
      engine.restart(VersityServer.SECRET_KEY);
    }
    isWellAgain("/data/revoked");
  }

  @Test
  void clockThatIsTwentyMinutesOffIsNamedByHowMuch() throws IOException {
    for (int minutes : List.of(-20, 20)) {
      CLOCK.off = Duration.ofMinutes(minutes);
      isRefused(put("/data/off"));
      isRefused(data("/data/there").run());
      String line =
          "refuses, as its clock is 20 min "
              + (minutes < 0 ? "ahead of" : "behind")
              + " this machine's: 403 ";
      isLogged(line);
      isDown("its clock and this machine's differ too much");
      assertThat(
              OneLineFailure.describe(
                  catchThrowable(
                      () ->
                          RunningStorage.start(
                                  folder.resolve("late"), authority, issuer, settings(), CLOCK)
                              .close())))
          .contains(line)
          .doesNotContain("\n");
    }
    CLOCK.off = Duration.ZERO;
    isWellAgain("/data/off");
  }

  /** The engine bears it, but what is signed for five minutes would be over when it is used. */
  @Test
  void clockThatIsSomeMinutesOffIsToldAndNobodyIsSentOn() throws IOException {
    CLOCK.off = Duration.ofMinutes(-7);
    assertThat(put("/data/late").status()).isEqualTo(201);
    Curl.Response served = data("/data/late").header("User-Agent", "rclone/v1").run();
    assertThat(served.status()).isEqualTo(200);
    assertThat(served.body()).isEqualTo(Files.readAllBytes(file));
    Health now = health();
    assertThat(now.getStatus()).isEqualTo(Status.UP);
    assertThat(now.getDetails().get("data").toString())
        .contains("the clock of the object store is 7 min ahead of this machine's");
    isLogged("the clock of the object store is 7 min ahead of this machine's");

    CLOCK.off = Duration.ZERO;
    Curl.Response sent = data("/data/late").header("User-Agent", "rclone/v1").run();
    assertThat(sent.status()).isEqualTo(307);
    assertThat(Curl.to(sent.header("Location").orElseThrow()).run().body())
        .isEqualTo(Files.readAllBytes(file));
  }
}
