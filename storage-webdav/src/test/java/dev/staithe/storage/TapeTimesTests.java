package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the times of the Tape REST API end: recalls, releases, pins; and volumes that are lost. */
class TapeTimesTests {
  private static final String SCOPES = "storage.stage:/ storage.read:/";

  @TempDir Path folder;
  private TapeShelf shelf;
  private RunningStorage storage;

  @BeforeEach
  void start() throws IOException {
    shelf = new TapeShelf(folder.resolve("tapes"));
    storage = RunningStorage.start(folder.resolve("storage"), settings("1h"));
  }

  private Map<String, Object> settings(String longestPin) {
    Map<String, Object> settings = shelf.settings();
    settings.put("staithe.tape.running", 1);
    settings.put("staithe.tape.recall-timeout", "1s");
    settings.put("staithe.tape.answer-timeout", "1s");
    settings.put("staithe.tape.longest-pin", longestPin);
    return settings;
  }

  @AfterEach
  void stop() {
    storage.close();
  }

  private void restart(String longestPin) {
    restart(settings(longestPin));
  }

  private void restart(Map<String, Object> settings) {
    storage.close();
    storage = RunningStorage.start(folder.resolve("storage"), settings);
  }

  /** With time for what the test ends itself. */
  private Map<String, Object> patient() {
    Map<String, Object> settings = settings("1h");
    settings.put("staithe.tape.answer-timeout", "5m");
    return settings;
  }

  private void onTape(String name) throws IOException {
    Path file = storage.data().resolve(name);
    Sample.write(file, 3, 70_001);
    shelf.migrate(file);
  }

  private Curl call(String path) {
    return storage.curl("/api/v1" + path).token(storage.token(SCOPES));
  }

  private Curl.Response post(String path, String body) {
    return call(path).header("Content-Type", "application/json").body(body).run();
  }

  private Curl.Response stage(String name, String lifetime) {
    return post(
        "/stage",
        "{\"files\":[{\"path\":\"/data/%s\",\"diskLifetime\":\"%s\"}]}".formatted(name, lifetime));
  }

  private String staged(String name, String lifetime) {
    Curl.Response response = stage(name, lifetime);
    assertThat(response.status()).as(response.text()).isEqualTo(201);
    return response.text().replaceAll(".*:\"|\".*", "");
  }

  private void becomes(String id, String text) {
    Eventually.holds(text, () -> call("/stage/" + id).run().text().contains(text));
  }

  private int read(String name) {
    return storage.curl("/data/" + name).token(storage.token(SCOPES)).run().status();
  }

  private static boolean sleeps() {
    return ProcessHandle.current()
        .descendants()
        .anyMatch(each -> each.info().command().orElse("").endsWith("sleep"));
  }

  @Test
  void recallThatHangsIsEndedWithAllItStartedAndItsDriveIsFree() throws IOException {
    onTape("hangs");
    onTape("next");
    shelf.fault("hangs", "hang");

    String hanging = staged("hangs", "PT1H");
    String next = staged("next", "PT1H");

    becomes(hanging, "the mass storage did not answer within 1 s");
    becomes(next, "COMPLETED");
    assertThat(read("hangs")).isEqualTo(409);
    assertThat(read("next")).isEqualTo(200);
    Eventually.holds("nothing of the command is left", () -> !sleeps());
  }

  /** Its request has failed, so that nobody holds it who could let it go. */
  @Test
  void fileThatCameByARecallThatTookTooLongIsLetGo() throws IOException {
    Map<String, Object> settings = settings("1h");
    settings.put("staithe.tape.recall-timeout", "4s");
    restart(settings);
    onTape("lingers");
    shelf.fault("lingers", "linger");

    becomes(staged("lingers", "PT1H"), "the mass storage did not answer within 4 s");

    Eventually.holds("let go", () -> shelf.count("release end", "lingers") == 1);
    assertThat(read("lingers")).isEqualTo(409);
  }

  @Test
  void newRequestsLetNoFileGoThatIsHeldForAnother() throws IOException {
    Map<String, Object> few = settings("1h");
    few.put("staithe.tape.waiting-per-caller", 1);
    restart(few);
    for (String name : new String[] {"one", "two", "three"}) {
      onTape(name);
    }
    String one = staged("one", "PT1H");
    becomes(one, "COMPLETED");
    becomes(staged("two", "PT1H"), "COMPLETED");

    Curl.Response beyond = stage("three", "PT1H");
    assertThat(beyond.status()).as(beyond.text()).isEqualTo(429);
    becomes(one, "COMPLETED");
    assertThat(read("one")).isEqualTo(200);

    assertThat(post("/release/" + one, "{\"paths\":[\"/data/one\"]}").status()).isEqualTo(200);
    becomes(staged("three", "PT1H"), "COMPLETED");
  }

  @Test
  void fileThatIsLostIsToldAndNeverReadAsZeros() throws IOException {
    onTape("lost");
    try (var tapes = Files.list(folder.resolve("tapes"))) {
      for (Path each : tapes.filter(Files::isRegularFile).toList()) {
        if (Files.size(each) == 70_001) {
          Files.delete(each);
        }
      }
    }

    becomes(staged("lost", "PT1H"), "the mass storage failed");
    assertThat(read("lost")).isEqualTo(409);
  }

  @Test
  void fileThatIsAskedForWhileItIsLetGoIsRecalledAfterThat() throws IOException {
    restart(patient());
    onTape("again");
    String before = staged("again", "PT1H");
    becomes(before, "COMPLETED");
    shelf.fault("again", "late");
    assertThat(call("/stage/" + before).method("DELETE").run().status()).isEqualTo(200);
    Eventually.holds("it is let go", () -> shelf.count("release begin", "again") == 1);

    String after = staged("again", "PT1H");
    assertThat(call("/stage/" + after).run().text()).contains("STARTED");
    shelf.go();

    becomes(after, "COMPLETED");
    assertThat(shelf.log().stream().map(line -> line.replaceFirst(" /.*", "")))
        .endsWith("release begin", "release end", "recall begin", "recall end");
    assertThat(read("again")).isEqualTo(200);
  }

  @Test
  void releaseThatHangsHoldsUpNoOther() throws IOException {
    onTape("kept");
    onTape("other");
    String kept = staged("kept", "PT1H");
    String other = staged("other", "PT1H");
    becomes(kept, "COMPLETED");
    becomes(other, "COMPLETED");
    shelf.fault("kept", "keep");

    for (String each : new String[] {kept, other}) {
      assertThat(call("/stage/" + each).method("DELETE").run().status()).isEqualTo(200);
    }

    Eventually.holds("the other is let go", () -> shelf.count("release end", "other") == 1);
    Eventually.holds("nothing of the command is left", () -> !sleeps());
    assertThat(shelf.count("release end", "kept")).isZero();
  }

  @Test
  void whatIsStillToBeLetGoWhenTheServerEndsIsLetGoByTheNext() throws IOException {
    restart(patient());
    onTape("first");
    onTape("second");
    String first = staged("first", "PT1H");
    String second = staged("second", "PT1H");
    becomes(first, "COMPLETED");
    becomes(second, "COMPLETED");
    shelf.fault("first", "late");
    for (String each : new String[] {first, second}) {
      assertThat(call("/stage/" + each).method("DELETE").run().status()).isEqualTo(200);
    }
    Eventually.holds("its turn has come", () -> shelf.count("release begin", "first") == 1);

    storage.close();
    shelf.go();
    storage = RunningStorage.start(folder.resolve("storage"), patient());

    Eventually.holds("the other is let go", () -> shelf.count("release end", "second") == 1);
    Eventually.holds("once more", () -> shelf.count("release end", "first") == 2);
    assertThat(read("second")).isEqualTo(409);
  }

  @Test
  void pinThatRunsOutLetsTheFileGoAlsoWhereTheServerWasAwayWhenItDid() throws IOException {
    onTape("away");
    String id = staged("away", "PT1S");
    becomes(id, "COMPLETED");

    restart("1s");
    Eventually.holds("let go after a restart", () -> shelf.count("release end", "away") > 0);
    assertThat(read("away")).isEqualTo(409);

    onTape("watched");
    becomes(staged("watched", "PT1H"), "COMPLETED");
    Eventually.holds("let go", () -> shelf.count("release end", "watched") > 0);
    assertThat(read("watched")).isEqualTo(409);
    onTape("brief");
    becomes(staged("brief", "PT0S"), "COMPLETED");
    Eventually.holds("let go at once", () -> shelf.count("release end", "brief") == 1);
  }

  @Test
  void clockThatWasAheadBeforeARestartHoldsNoFileLonger() throws IOException {
    onTape("ahead");
    becomes(staged("ahead", "PT1S"), "COMPLETED");
    storage.close();
    Path kept = storage.data().resolve(".staithe/tape/stage-requests");
    String later = "\"finishedAt\":" + Instant.now().plus(Duration.ofDays(400)).toEpochMilli();
    String ahead = Files.readString(kept).replaceAll("\"finishedAt\":\\d+", later);
    assertThat(ahead).contains(later);
    Files.writeString(kept, ahead);

    storage = RunningStorage.start(folder.resolve("storage"), settings("1s"));

    Eventually.holds("let go", () -> shelf.count("release end", "ahead") > 0);
  }
}
