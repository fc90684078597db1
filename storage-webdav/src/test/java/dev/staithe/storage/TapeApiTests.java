package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The WLCG Tape REST API v1 before a mass storage of shell scripts. */
class TapeApiTests {
  private static final String STAGE = "storage.stage:/";

  @TempDir static Path folder;
  private static TapeShelf shelf;
  private static RunningStorage storage;
  private static int tests;

  /** A folder of each test's own. */
  private String top;

  @BeforeAll
  static void start() throws IOException {
    shelf = new TapeShelf(folder.resolve("tapes"));
    Map<String, Object> settings = shelf.settings();
    settings.put("staithe.tape.running", 2);
    settings.put("staithe.tape.answer-timeout", "2s");
    settings.put("staithe.tape.per-request", 20);
    settings.put("staithe.tape.waiting-per-caller", 30);
    storage = RunningStorage.start(folder.resolve("storage"), settings);
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  @BeforeEach
  void begin() throws IOException {
    shelf.reset();
    top = "t" + ++tests;
    Files.createDirectories(storage.data().resolve(top));
  }

  private String path(String name) {
    return "/data/" + top + "/" + name;
  }

  /** A file on tape alone, of that length. */
  private Sample onTape(String name, long size) throws IOException {
    Path file = storage.data().resolve(top).resolve(name);
    Files.createDirectories(file.getParent());
    Sample sample = Sample.write(file, size, size);
    shelf.migrate(file);
    return sample;
  }

  private Curl call(String token, String path) {
    return storage.curl("/api/v1" + path).token(token);
  }

  private Curl.Response post(String token, String path, Object body) {
    return call(token, path)
        .header("Content-Type", "application/json")
        .body(body instanceof Map<?, ?> map ? json(map) : body.toString())
        .run();
  }

  @SuppressWarnings("unchecked")
  private static String json(Map<?, ?> map) {
    return JSONObjectUtils.toJSONString((Map<String, ?>) map);
  }

  private static Map<String, Object> object(Curl.Response response) {
    try {
      return JSONObjectUtils.parse(response.text());
    } catch (ParseException e) {
      throw new AssertionError(response.toString(), e);
    }
  }

  private static Map<String, Object> files(String... paths) {
    return Map.of("files", Stream.of(paths).map(path -> Map.of("path", path)).toList());
  }

  private String staged(String token, String... paths) {
    Curl.Response response = post(token, "/stage", files(paths));
    assertThat(response.status()).as(response.text()).isEqualTo(201);
    return (String) object(response).get("requestId");
  }

  /** The states, or errors, by path. */
  @SuppressWarnings("unchecked")
  private Map<String, String> states(String token, String id) {
    Curl.Response response = call(token, "/stage/" + id).run();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    return ((List<Map<String, Object>>) object(response).get("files"))
        .stream()
            .collect(
                Collectors.toMap(
                    f -> (String) f.get("path"),
                    f -> f.get("state") + (f.containsKey("error") ? " " + f.get("error") : "")));
  }

  private void becomes(String token, String id, String path, String state) {
    Eventually.holds(path + " is " + state, () -> states(token, id).get(path).startsWith(state));
  }

  @SuppressWarnings("unchecked")
  private Map<String, String> localities(String token, String... paths) throws ParseException {
    Curl.Response response = post(token, "/archiveinfo", Map.of("paths", List.of(paths)));
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    return JSONArrayUtils.parse(response.text()).stream()
        .map(each -> (Map<String, Object>) each)
        .collect(
            Collectors.toMap(
                f -> (String) f.get("path"),
                f -> String.valueOf(f.getOrDefault("locality", f.get("error")))));
  }

  @Test
  void whatIsOnTapeAloneIsRecalledReadAndLetGo() throws Exception {
    Sample sample = onTape("run/file one", 300_001);
    String token = storage.token(STAGE + " storage.read:/");
    String path = path("run/file one");
    assertThat(localities(token, path)).containsEntry(path, "TAPE");

    String id = staged(token, path);
    becomes(token, id, path, "COMPLETED");

    assertThat(localities(token, path)).containsEntry(path, "DISK_AND_TAPE");
    Curl.Response read = storage.curl(path("run/file%20one")).token(token).run();
    assertThat(Sample.ofBytes(read.body())).isEqualTo(sample);
    assertThat(post(token, "/release/" + id, Map.of("paths", List.of(path))).status())
        .isEqualTo(200);
    Eventually.holds("released", () -> shelf.count("release end", "file one") == 1);
    assertThat(localities(token, path)).containsEntry(path, "TAPE");
    assertThat(call(token, "/stage/" + id).method("DELETE").run().status()).isEqualTo(200);
    assertThat(call(token, "/stage/" + id).run().status()).isEqualTo(404);
  }

  @Test
  void theApiIsFoundByItsDocument() throws Exception {
    Map<String, Object> found = object(storage.curl("/.well-known/wlcg-tape-rest-api").run());

    assertThat(found).containsEntry("sitename", "TEST-SITE");
    assertThat(JSONObjectUtils.getJSONObjectArray(found, "endpoints")[0])
        .containsEntry("uri", storage.url("/api/v1"))
        .containsEntry("version", "v1");
  }

  /** The smallest too, whose attributes take as many blocks as its content did. */
  @ParameterizedTest
  @ValueSource(longs = {1, 4096, 300_001})
  void whatIsOnTapeAloneIsNeitherReadNorCopiedNorSummedUp(long size) throws Exception {
    onTape("cold", size);
    String token = storage.token();

    for (Curl refused :
        List.of(
            storage.curl(path("cold")).token(token),
            storage.curl(path("cold")).token(token).header("Range", "bytes=0-0"),
            storage.curl(path("cold")).token(token).head().header("Want-Digest", "md5"),
            storage
                .curl(path("cold"))
                .token(token)
                .method("COPY")
                .header("Destination", storage.url(path("copy"))),
            storage
                .curl(path("cold"))
                .token(token)
                .method("COPY")
                .header("Credential", "none")
                .header("TransferHeaderAuthorization", "Bearer " + token)
                .header("Destination", storage.url("/open/copy")))) {
      Curl.Response response = refused.run();
      // A push may have begun its answer.
      assertThat(response.status()).as(response.toString()).isIn(409, 202);
      assertThat(response.text()).containsAnyOf("on tape and not on disk", "HTTP/1.1 409");
    }
    assertThat(storage.data().resolve(top).resolve("copy")).doesNotExist();
    assertThat(storage.open().resolve("copy")).doesNotExist();
    assertThat(shelf.count("recall begin", "cold")).isZero();
  }

  @Test
  void aListingShowsWhereFilesAre() throws Exception {
    onTape("cold", 5000);
    Files.writeString(storage.data().resolve(top).resolve("warm"), "here");

    String shown =
        storage
            .curl(path(""))
            .token(storage.token())
            .method("PROPFIND")
            .header("Depth", "1")
            .body(
                "<propfind xmlns=\"DAV:\"><prop><FileLocality"
                    + " xmlns=\"http://srm.lbl.gov/StorageResourceManager\"/></prop></propfind>")
            .run()
            .text();

    assertThat(shown).containsPattern(path("cold") + "</D:href>.*?>NEARLINE</L:FileLocality>");
    assertThat(shown).containsPattern(path("warm") + "</D:href>.*?>ONLINE</L:FileLocality>");
  }

  @Test
  void theCopyOfAFileThatIsOnTapeIsNotOnTape() throws Exception {
    onTape("file", 5000);
    String token = storage.token(STAGE + " storage.read:/ storage.modify:/");
    becomes(token, staged(token, path("file")), path("file"), "COMPLETED");

    storage
        .curl(path("file"))
        .token(token)
        .method("COPY")
        .header("Destination", storage.url(path("copy")))
        .run();

    assertThat(localities(token, path("file"), path("copy")))
        .containsEntry(path("file"), "DISK_AND_TAPE")
        .containsEntry(path("copy"), "DISK");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fail | the mass storage failed (exit code 5)
          die  | the mass storage's command was killed
          lie  | the mass storage said that the file is there, and it is not on disk
          """)
  void aRecallThatGoesWrongIsToldAndTheNextGoesOn(String fault, String told) throws Exception {
    onTape("bad", 5000);
    onTape("good", 5000);
    shelf.fault("bad", fault);
    String token = storage.token(STAGE);

    String id = staged(token, path("bad"), path("good"));

    becomes(token, id, path("bad"), "FAILED");
    assertThat(states(token, id)).containsEntry(path("bad"), "FAILED " + told);
    becomes(token, id, path("good"), "COMPLETED");
  }

  @ParameterizedTest
  @CsvSource({
    "fail, UNAVAILABLE, DISK",
    "die, UNAVAILABLE, DISK",
    "hang, UNAVAILABLE, DISK",
    "babble, UNAVAILABLE, DISK",
    "lie, UNAVAILABLE, DISK",
    "lost, LOST, DISK"
  })
  void whatTheMassStorageSaysIsBelievedAsFarAsTheFileItselfDoesNotSayOtherwise(
      String fault, String cold, String warm) throws Exception {
    onTape("cold", 5000);
    // As it is where nobody has marked it.
    new ProcessBuilder(
            "setfattr",
            "-x",
            "user.storm.migrated",
            storage.data().resolve(top).resolve("cold").toString())
        .start()
        .waitFor();
    Files.writeString(storage.data().resolve(top).resolve("warm"), "here");
    shelf.fault("all", fault);

    assertThat(localities(storage.token(STAGE), path("cold"), path("warm")))
        .containsEntry(path("cold"), cold)
        .containsEntry(path("warm"), warm);
  }

  /** A JWT of the server's own, from one whose token has these scopes. */
  private static Curl.Response exchanged(String scopes, String asked) {
    return storage
        .curl("/.staithe/tokens")
        .token(storage.token(scopes))
        .body("grant_type=client_credentials&scope=" + asked)
        .run();
  }

  private static String given(String scope) {
    Curl.Response answer = exchanged(STAGE + " storage.read:/ storage.modify:/", scope);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return (String) object(answer).get("access_token");
  }

  @Test
  void tokenOfTheServersOwnStagesByTheScopeOfThatNameAndPollsByAny() throws Exception {
    onTape("file", 5000);
    for (String scope : List.of("read", "create", "modify", "poll")) {
      String token = given("storage." + scope + ":/data/" + top);
      assertThat(post(token, "/stage", files(path("file"))).status()).as(scope).isEqualTo(403);
      assertThat(localities(token, path("file"))).as(scope).containsEntry(path("file"), "TAPE");
    }
    assertThat(shelf.count("recall", "file")).isZero();

    String token = given("storage.stage:/data/" + top);
    assertThat(storage.curl(path("file")).token(token).run().status()).isEqualTo(403);
    becomes(token, staged(token, path("file")), path("file"), "COMPLETED");
    assertThat(localities(token, path("file"))).containsEntry(path("file"), "DISK_AND_TAPE");
  }

  @Test
  void whoMayNotStageIsGivenNoTokenForIt() {
    Curl.Response refused = exchanged("storage.read:/ storage.modify:/", STAGE + "data");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("invalid_scope");
    assertThat(exchanged("storage.read:/", "storage.poll:/data").status()).isEqualTo(200);
  }

  @Test
  void eachPathIsJudgedByItself() throws Exception {
    onTape("ours/file", 5000);
    onTape("oursnot/file", 5000);
    String ours = storage.token("storage.stage:/" + top + "/ours");

    String id = staged(ours, path("ours/file"), path("oursnot/file"), path("ours/missing"));

    becomes(ours, id, path("ours/file"), "COMPLETED");
    Map<String, String> states = states(ours, id);
    assertThat(states.get(path("oursnot/file")))
        .contains("needs storage.poll for /" + top + "/oursnot/file");
    assertThat(states.get(path("ours/missing"))).isEqualTo("FAILED there is no such file");
    assertThat(shelf.count("recall begin", "file")).isOne();
    // What is not allowed looks the same, be it there or not.
    assertThat(localities(ours, path("oursnot/file"), path("oursnot/nothing")).values())
        .allMatch(line -> line.startsWith("needs storage.poll"));
    Trials.held(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          storage.read:/   | 403
          storage.modify:/ | 403
          storage.poll:/   | 403
          storage.stage:/other | 403
          storage.stage:/  | 201
          """)
  void onlyTheScopeForItStages(String scopes, int status) throws Exception {
    onTape("file", 5000);

    assertThat(post(storage.token(scopes), "/stage", files(path("file"))).status())
        .isEqualTo(status);
    assertThat(
            storage
                .curl("/api/v1/stage")
                .header("Content-Type", "application/json")
                .body(json(files(path("file"))))
                .run()
                .status())
        .isEqualTo(401);
  }

  /** A scope with a slash at the end means a collection, and no file of that name. */
  @Test
  void theScopeOfACollectionStagesNoFileOfItsName() throws Exception {
    onTape("name", 5000);
    String token = storage.token("storage.stage:/" + top + "/name/");

    String id = staged(token, path("name") + "/");

    assertThat(states(token, id))
        .containsExactly(Map.entry(path("name") + "/", "FAILED there is no such file"));
    assertThat(shelf.count("recall begin", "name")).isZero();
  }

  @Test
  void theRequestsOfOthersAreNotThere() throws Exception {
    onTape("file", 5000);
    String mine = storage.token(STAGE);
    String theirs =
        storage
            .issuer()
            .token()
            .subject("somebody else")
            .scope(STAGE)
            .audience(RunningStorage.AUDIENCE)
            .sign();
    String id = staged(mine, path("file"));
    becomes(mine, id, path("file"), "COMPLETED");
    Map<String, Object> paths = Map.of("paths", List.of(path("file")));

    assertThat(call(theirs, "/stage/" + id).run().status()).isEqualTo(404);
    assertThat(call(theirs, "/stage/" + id).method("DELETE").run().status()).isEqualTo(404);
    assertThat(post(theirs, "/stage/" + id + "/cancel", paths).status()).isEqualTo(404);
    // gfal2 makes a number up: it lets go what the caller holds, which here is nothing.
    assertThat(post(theirs, "/release/" + id, paths).status()).isEqualTo(200);

    // Of the same person, but for something else.
    String narrow = storage.token("storage.read:/");
    assertThat(call(narrow, "/stage/" + id).method("DELETE").run().status()).isEqualTo(403);

    assertThat(states(mine, id)).containsEntry(path("file"), "COMPLETED");
    assertThat(shelf.count("release begin", "file")).isZero();
    post(mine, "/release/gfal2-placeholder-id", paths);
    Eventually.holds("released", () -> shelf.count("release end", "file") == 1);
    Trials.held(5);
  }

  @Test
  void aCallerWithManyFilesLeavesOneDriveToOthers() throws Exception {
    String many = storage.token(STAGE);
    String few =
        storage
            .issuer()
            .token()
            .subject("few")
            .scope(STAGE)
            .audience(RunningStorage.AUDIENCE)
            .sign();
    String[] paths = IntStream.range(0, 10).mapToObj(i -> path("many") + i).toArray(String[]::new);
    for (int i = 0; i < paths.length; i++) {
      onTape("many" + i, 100);
      shelf.fault("many" + i, "slow");
    }
    onTape("few", 100);
    String greedy = staged(many, paths);

    String id = staged(few, path("few"));

    becomes(few, id, path("few"), "COMPLETED");
    assertThat(states(many, greedy).values()).filteredOn("STARTED"::equals).hasSize(1);
    String[] again = Stream.generate(() -> path("many1")).limit(15).toArray(String[]::new);
    staged(many, again);
    Curl.Response beyond = post(many, "/stage", files(again));
    assertThat(beyond.status()).as(beyond.text()).isEqualTo(429);
    assertThat(beyond.header("Retry-After")).isPresent();
    shelf.go();
    becomes(many, greedy, path("many9"), "COMPLETED");
    Trials.held(2);
  }

  @Test
  void aFileThatTwoWantIsRecalledOnceAndWhoCancelsTakesItFromNobody() throws Exception {
    onTape("file", 5000);
    shelf.fault("file", "slow");
    String mine = storage.token(STAGE);
    String theirs =
        storage
            .issuer()
            .token()
            .subject("other")
            .scope(STAGE)
            .audience(RunningStorage.AUDIENCE)
            .sign();
    String first = staged(mine, path("file"));
    becomes(mine, first, path("file"), "STARTED");
    String second = staged(theirs, path("file"));
    becomes(theirs, second, path("file"), "STARTED");

    Map<String, Object> paths = Map.of("paths", List.of(path("file")));
    assertThat(post(mine, "/stage/" + first + "/cancel", paths).status()).isEqualTo(200);
    assertThat(states(mine, first)).containsEntry(path("file"), "CANCELLED");
    shelf.go();

    becomes(theirs, second, path("file"), "COMPLETED");
    assertThat(shelf.count("recall begin", "file")).isOne();
  }

  @Test
  void aRecallThatNobodyWantsIsEndedAndItsPlaceIsFree() throws Exception {
    for (String name : List.of("one", "two")) {
      onTape(name, 5000);
    }
    shelf.fault("one", "hang");
    String token = storage.token(STAGE);
    String id = staged(token, path("one"), path("two"));
    becomes(token, id, path("one"), "STARTED");
    assertThat(states(token, id)).containsEntry(path("two"), "SUBMITTED");

    post(token, "/stage/" + id + "/cancel", Map.of("paths", List.of(path("one"))));

    becomes(token, id, path("two"), "COMPLETED");
    assertThat(
            post(token, "/stage/" + id + "/cancel", Map.of("paths", List.of(path("three"))))
                .status())
        .isEqualTo(400);
  }

  /** The mass storage keeps it on disk, and nobody else would ever tell it that it need not. */
  @Test
  void aFileThatCameAlthoughItsRecallIsCancelledIsLetGo() throws Exception {
    onTape("file", 5000);
    shelf.fault("file", "linger");
    String token = storage.token(STAGE);
    String id = staged(token, path("file"));
    Eventually.holds("it is there", () -> shelf.count("recall came", "file") == 1);

    post(token, "/stage/" + id + "/cancel", Map.of("paths", List.of(path("file"))));

    Eventually.holds("let go", () -> shelf.count("release end", "file") == 1);
    assertThat(states(token, id)).containsEntry(path("file"), "CANCELLED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /stage       | []                                                           | 400
          /stage       | {"files":[]}                                                 | 400
          /stage       | {"files":["/data/x"]}                                        | 400
          /stage       | {"files":[{"path":"/data/x","diskLifetime":"soon"}]}         | 400
          /stage       | {"files":[{"path":"/data/x","diskLifetime":"-P1D"}]}         | 400
          /stage       | {"files":[{"path":"/data/../open/x"}]}                       | 403
          /stage       | {"files":[{"path":"relative"}]}                              | 403
          /archiveinfo | {"paths":[1]}                                                | 400
          /archiveinfo | {"paths":                                                    | 400
          /nothing     | {}                                                           | 404
          """)
  void aRequestThatIsNoneIsRefused(String path, String body, int status) {
    assertThat(post(storage.token(STAGE), path, body).status()).isEqualTo(status);
  }

  @Test
  void tooManyFilesAndOtherContentAreRefused() {
    String token = storage.token(STAGE);
    assertThat(
            post(
                    token,
                    "/stage",
                    files(Stream.generate(() -> path("x")).limit(21).toArray(String[]::new)))
                .status())
        .isEqualTo(413);
    // What a form of another page could have a browser send.
    assertThat(
            call(token, "/stage")
                .header("Content-Type", "text/plain")
                .body(json(files(path("x"))))
                .run()
                .status())
        .isEqualTo(415);
    assertThat(call(token, "/stage").run().status()).isEqualTo(405);
    Trials.held(2);
  }

  /** What is refused is kept with its request all the same. */
  @Test
  void aPathThatIsLongerThanAnyIsRefusedWithItsRequest() throws Exception {
    onTape("file", 5000);
    Curl.Response refused =
        post(storage.token(STAGE), "/stage", files(path("file"), "/data/" + "x".repeat(4000)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("3072 characters");
  }

  @Test
  void whoAsksForARequestByAnotherMethodIsToldWhichThereAre() {
    Curl.Response refused = call(storage.token(STAGE), "/stage/some").method("PUT").run();
    assertThat(refused.status()).isEqualTo(405);
    assertThat(refused.header("Allow")).contains("GET, DELETE");
  }

  /** Arguments are arguments, whatever is in them. */
  @Test
  void namesAreNotReadByAShell() throws Exception {
    String name = "$(touch ran) ; touch ran;'\" -rf *";
    Sample sample = onTape(name, 5000);
    String token = storage.token(STAGE + " storage.read:/");

    String id = staged(token, path(name));

    becomes(token, id, path(name), "COMPLETED");
    assertThat(Sample.of(storage.data().resolve(top).resolve(name))).isEqualTo(sample);
    assertThat(Path.of("ran")).doesNotExist();
    assertThat(storage.data().resolve(top).resolve("ran")).doesNotExist();
  }
}
