package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies as those see and end them who may. Each comes from a source that stops in the middle. */
class TransfersTests {
  private static final long SIZE = 4 << 20;
  private static final String SECRET = "c29tZS1zZWNyZXQ";

  @TempDir static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static RunningStorage storage;
  private HeldSource source;

  @BeforeAll
  static void startServer() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.copy.early-answer", "0s");
    settings.put("staithe.copy.running", 2);
    settings.put("staithe.transfers.ended", 2);
    settings.put("staithe.areas[0].copy.congestion-control", "reno");
    settings.put("staithe.transfers.administrators[0].issuer", issuer.issuer());
    settings.put("staithe.transfers.administrators[0].group", "/operators");
    storage = RunningStorage.start(folder, authority, issuer, settings);
  }

  @AfterAll
  static void stopServer() {
    storage.close();
    issuer.close();
  }

  @BeforeEach
  void startSource() {
    source = new HeldSource(authority, SIZE, true);
  }

  @AfterEach
  void everythingEnds() throws IOException {
    source.close();
    Eventually.holds("no copy is left", () -> all(operator()).get("running").equals(0L));
    try (Stream<Path> left = Files.walk(storage.data().resolve(".staithe/stage"))) {
      assertThat(left.filter(Files::isRegularFile).filter(file -> !file.endsWith("lock")))
          .isEmpty();
    }
  }

  private static String token(String subject, String scopes) {
    return issuer.token().subject(subject).scope(scopes).audience(RunningStorage.AUDIENCE).sign();
  }

  private static String operator() {
    return issuer
        .token()
        .subject("olga")
        .claim("wlcg.groups", List.of("/operators"))
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  private CompletableFuture<CopyAnswer> pull(String subject, String name) {
    Curl copy =
        storage
            .curl("/data/" + subject + "/" + name)
            .token(token(subject, "storage.create:/" + subject))
            .method("COPY")
            .header("Credential", "none")
            .header("ClientInfo", "job-id=7")
            .header("Source", source.url("/" + name + "?authz=" + SECRET))
            .header("TransferHeaderAuthorization", "Bearer " + SECRET);
    return CompletableFuture.supplyAsync(
        () -> CopyAnswer.of(copy.run()), Executors.newVirtualThreadPerTaskExecutor());
  }

  private static Curl desk(String below, String token) {
    return storage.curl("/.staithe/transfers" + below).token(token);
  }

  private static Map<String, Object> json(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text()).isIn(200, 202);
    try {
      return JSONObjectUtils.parse(answer.text());
    } catch (ParseException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, Object> all(String token) {
    return json(desk("", token).run());
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(String token) {
    return (List<Map<String, Object>>) all(token).get("transfers");
  }

  private static Optional<Map<String, Object>> find(String token, String path) {
    return list(token).stream().filter(each -> each.get("path").equals(path)).findFirst();
  }

  /** The copy to that path, when half of the file is there. */
  private static Map<String, Object> begun(String path) {
    Eventually.holds(
        path + " is in its middle",
        () ->
            find(operator(), path).filter(each -> each.get("bytes").equals(SIZE / 2)).isPresent());
    return find(operator(), path).orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> connections(Map<String, Object> transfer) {
    return (List<Map<String, Object>>) transfer.get("connections");
  }

  /** A source that is silent is what a copy waits for, once it was looked at twice. */
  @Test
  void copyWhoseSourceIsSilentIsSaidToWaitForItAndItsTimeIsCounted() throws Exception {
    CompletableFuture<CopyAnswer> copy = pull("ada", "slow");
    begun("/data/ada/slow");

    Eventually.holds(
        "it waits for its source",
        () -> "peer".equals(find(operator(), "/data/ada/slow").orElseThrow().get("waitsFor")));

    source.release();
    assertThat(copy.get().last()).isEqualTo("success: Created");
    Map<String, Object> ended = find(operator(), "/data/ada/slow").orElseThrow();
    assertThat(((Number) ended.get("peerSeconds")).doubleValue())
        .isGreaterThan(0)
        .isLessThanOrEqualTo(((Number) ended.get("ranSeconds")).doubleValue());
    assertThat(((Number) ended.get("storageSeconds")).doubleValue()).isGreaterThan(0);
  }

  private static int cancel(Map<String, Object> transfer, String token) {
    return desk("/" + transfer.get("id"), token).method("DELETE").run().status();
  }

  @Test
  void runningCopyIsShownWithItsProgressAndWithoutAnyCredential() throws Exception {
    CompletableFuture<CopyAnswer> copy = pull("ada", "shown");

    Map<String, Object> shown = begun("/data/ada/shown");

    assertThat(shown)
        .containsEntry("state", "running")
        .containsEntry("phase", "transferring")
        .containsEntry("direction", "pull")
        .containsEntry("area", "data")
        .containsEntry("remote", source.url("/shown"))
        .containsEntry("caller", "ada@" + issuer.issuer())
        .containsEntry("group", issuer.issuer())
        .containsEntry("clientInfo", "job-id=7")
        .containsEntry("size", SIZE)
        .containsEntry("streams", 1L)
        .containsEntry("mayCancel", true)
        .containsKeys("rate", "asked", "ranSeconds", "waitedSeconds", "request");
    assertThat(shown.get("waitsFor")).isIn("peer", "storage", "processor");
    assertThat(connections(shown)).hasSize(1);
    assertThat(connections(shown).getFirst())
        .containsEntry("congestionControl", "reno")
        .containsKeys("rttMillis", "retransmits", "congestionWindow", "segmentBytes");
    assertThat(shown.get("peers").toString())
        .contains(connections(shown).getFirst().get("peer").toString());
    assertThat(shown.get("peers").toString())
        .matches("\\[\"?tcp:(127\\.0\\.0\\.1|\\[.*]):\\d+\"?]");
    assertThat(desk("", operator()).run().text()).doesNotContain(SECRET).doesNotContain("authz");
    source.release();
    assertThat(copy.get().last()).isEqualTo("success: Created");
    assertThat(find(operator(), "/data/ada/shown").orElseThrow())
        .containsEntry("state", "ended")
        .containsEntry("outcome", "success")
        .containsEntry("bytes", SIZE)
        .containsEntry("mayCancel", false)
        .doesNotContainKeys("reason", "connections", "waitsFor");
  }

  @Test
  void copyThatWaitsIsShownAndCancelledBeforeItsTurn() throws Exception {
    CompletableFuture<CopyAnswer> one = pull("ada", "first");
    CompletableFuture<CopyAnswer> two = pull("ada", "second");
    begun("/data/ada/first");
    begun("/data/ada/second");
    CompletableFuture<CopyAnswer> three = pull("ada", "third");
    Eventually.holds("the third waits", () -> find(operator(), "/data/ada/third").isPresent());
    Map<String, Object> waiting = find(operator(), "/data/ada/third").orElseThrow();
    assertThat(waiting)
        .containsEntry("state", "queued")
        .containsEntry("bytes", 0L)
        .containsEntry("waitsFor", "queue");

    assertThat(cancel(waiting, token("ada", "storage.create:/ada"))).isEqualTo(202);

    assertThat(three.get().last()).isEqualTo("aborted: cancelled by ada@" + issuer.issuer());
    source.release();
    assertThat(one.get().last()).isEqualTo("success: Created");
    assertThat(two.get().last()).isEqualTo("success: Created");
  }

  @Test
  void callersSeeTheirOwnAsFarAsTheirTokenReachesAndNobodyElses() throws Exception {
    CompletableFuture<CopyAnswer> copy = pull("ada", "hers");
    String path = "/data/ada/hers";
    Map<String, Object> shown = begun(path);
    String id = "/" + shown.get("id");

    assertThat(find(token("ada", "storage.create:/ada"), path)).isPresent();
    assertThat(find(token("ada", "storage.read:/ada"), path).orElseThrow())
        .containsEntry("mayCancel", false);
    for (String other :
        List.of(
            token("ada", "storage.modify:/elsewhere"),
            token("bob", "storage.create:/ada"),
            token("bob", "storage.read:/"))) {
      assertThat(list(other)).isEmpty();
      assertThat(desk(id, other).run().status()).isEqualTo(404);
      assertThat(cancel(shown, other)).isEqualTo(404);
    }
    assertThat(storage.curl("/.staithe/transfers").run().status()).isEqualTo(401);
    assertThat(storage.curl("/.staithe/transfers" + id).method("DELETE").run().status())
        .isEqualTo(401);
    assertThat(cancel(shown, token("ada", "storage.read:/ada"))).isEqualTo(403);
    assertThat(find(operator(), path).orElseThrow()).containsEntry("state", "running");
    source.release();
    assertThat(copy.get().last()).isEqualTo("success: Created");
  }

  @Test
  void whoeverMayModifyTheDestinationCancelsAndNothingIsLeft() throws Exception {
    CompletableFuture<CopyAnswer> copy = pull("ada", "stopped");
    Map<String, Object> shown = begun("/data/ada/stopped");

    assertThat(cancel(shown, token("bob", "storage.modify:/ada"))).isEqualTo(202);

    assertThat(copy.get().last()).isEqualTo("aborted: cancelled by bob@" + issuer.issuer());
    assertThat(storage.data().resolve("ada/stopped")).doesNotExist();
    assertThat(find(operator(), "/data/ada/stopped").orElseThrow())
        .containsEntry("outcome", "aborted")
        .containsEntry("reason", "cancelled by bob@" + issuer.issuer());
    assertThat(cancel(shown, operator())).isEqualTo(409);
  }

  @Test
  void administratorCancelsAndNoMoreThanTheLastThatEndedAreRemembered() throws Exception {
    for (String name : List.of("one", "two", "three")) {
      CompletableFuture<CopyAnswer> copy = pull("ada", name);
      assertThat(cancel(begun("/data/ada/" + name), operator())).isEqualTo(202);
      assertThat(copy.get().last()).isEqualTo("aborted: cancelled by olga@" + issuer.issuer());
    }

    assertThat(list(operator()).stream().map(each -> each.get("path")))
        .containsExactly("/data/ada/three", "/data/ada/two");
  }

  @Test
  void otherMethodsAreRefused() {
    assertThat(desk("", operator()).method("DELETE").run().status()).isEqualTo(405);
    assertThat(desk("/x", operator()).method("POST").run().status()).isEqualTo(405);
    assertThat(desk("/../x", operator()).flag("path-as-is").run().status()).isIn(400, 404);
  }
}
