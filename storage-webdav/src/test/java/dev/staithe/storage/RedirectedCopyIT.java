package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A head, a data node on the same files, and another server, with which they copy. */
class RedirectedCopyIT {
  private static final int LARGE = 3_000_001;

  @TempDir static Path folder;
  private static RunningStorage node;
  private static RunningStorage head;
  private static RunningStorage remote;
  private static GridTools tools;

  /** What the copies show to the other server. */
  private static String given;

  @BeforeAll
  static void start() throws IOException {
    Path key =
        Files.createFile(
            folder.resolve("key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
    remote = RunningStorage.start(folder.resolve("remote"), Map.of());
    given = remote.token();
    node =
        RunningStorage.beside(
            remote,
            folder.resolve("node"),
            Map.of("staithe.redirect.key-file", key, "staithe.access-log.file", accessLog()));
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.redirect.key-file", key);
    settings.put("staithe.redirect.nodes", "https://localhost:" + node.port());
    settings.put("staithe.redirect.from-size", "100KB");
    settings.put("staithe.redirect.check-interval", "1s");
    settings.put("staithe.access-log.file", accessLog());
    settings.put("staithe.areas[0].root", node.data());
    settings.put("staithe.areas[1].root", node.open());
    head = RunningStorage.beside(remote, folder.resolve("head"), settings);
    tools = new GridTools(folder.resolve("tools"), remote.authority());
    Sample.write(node.data().resolve("probe"), 1, LARGE);
    Eventually.holds(
        "the head sends clients on",
        () -> head.curl("/data/probe").token(head.token()).run().status() == 307);
  }

  @AfterAll
  static void stop() {
    head.close();
    node.close();
    remote.close();
  }

  /** Of both, as there is one in a JVM. */
  private static Path accessLog() {
    return folder.resolve("access.jsonl");
  }

  /** A copy that the head is asked for with this token. */
  private static Curl copy(String agent, String token, String path, String field, String url) {
    return head.curl(path)
        .method("COPY")
        .token(token)
        .header("User-Agent", agent)
        .header(field, url)
        .header("TransferHeaderAuthorization", "Bearer " + given);
  }

  /** The same by somebody who follows. */
  private static Curl copy(String token, String path, String field, String url) {
    return copy("fts_url_copy/3 gfal2/2.21.3 neon/0.0.29", token, path, field, url);
  }

  private static Curl byCurl(String path, String from) {
    return copy("curl/8", head.token(), path, "Source", remote.url(from));
  }

  private static Curl pull(String path, String from) {
    return copy(head.token(), path, "Source", remote.url(from));
  }

  private static Curl push(String path, String to) {
    return copy(head.token(), path, "Destination", remote.url(to));
  }

  private static long copies(RunningStorage at) {
    return at
        .context()
        .getBean(MeterRegistry.class)
        .find("staithe.copies")
        .tag("outcome", "success")
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }

  /** Has it done, and by the node. */
  private static <T> T byTheNode(Callable<T> what) throws Exception {
    long before = copies(node);
    long here = copies(head);
    T done = what.call();
    assertThat(copies(node)).as("copies of the node").isEqualTo(before + 1);
    assertThat(copies(head)).as("copies of the head").isEqualTo(here);
    return done;
  }

  @Test
  void copyGoesToTheNodeByATicketWhichHasNothingOfTheOtherSide() throws Exception {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.addAppender(log);
    try {
      copyGoesToTheNode();
    } finally {
      root.detachAppender(log);
    }
    String secret = given.substring(given.lastIndexOf('.'));
    Eventually.holds("it is logged", () -> read(accessLog()).contains("\"method\":\"COPY\""));
    assertThat(read(accessLog()) + told(log.list))
        .contains("copy ended")
        .doesNotContain(secret, "ticket=");
  }

  private static String told(List<ILoggingEvent> events) {
    return events.stream()
        .map(e -> e.getFormattedMessage() + e.getMDCPropertyMap() + e.getKeyValuePairs())
        .collect(Collectors.joining("\n"));
  }

  private static void copyGoesToTheNode() throws Exception {
    Sample sample = Sample.write(remote.data().resolve("source"), 2, LARGE);
    Curl.Response sent = pull("/data/a%20copy", "/data/source").run();
    assertThat(sent.status()).isEqualTo(307);
    assertThat(sent.header("Location").orElseThrow())
        .startsWith("https://localhost:" + node.port() + "/data/a%20copy?ticket=")
        .doesNotContain(given);
    assertThat(sent.text()).isEmpty();
    Curl.Response made = byTheNode(() -> pull("/data/a%20copy", "/data/source").following().run());
    assertThat(made.status()).isEqualTo(202);
    assertThat(made.text()).contains("Stripe Bytes Transferred: ").endsWith("success: Created\n");
    assertThat(Sample.of(node.data().resolve("a copy"))).isEqualTo(sample);

    Curl.Response pushed = byTheNode(() -> push("/data/probe", "/data/pushed").following().run());
    assertThat(pushed.text()).endsWith("success: Created\n");
    assertThat(remote.data().resolve("pushed"))
        .hasSameBinaryContentAs(node.data().resolve("probe"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void whoIsNotKnownToFollowAndSmallFilesAreServedHere() throws Exception {
    Sample.write(remote.data().resolve("here"), 3, LARGE);
    Files.writeString(node.data().resolve("small"), "small");
    long before = copies(head);
    for (Curl each :
        List.of(
            byCurl("/data/one", "/data/here"),
            pull("/data/two?no_redirect", "/data/here"),
            pull("/data/three", "/data/here").header("If", "(Not <urn:uuid:none>)"),
            push("/data/small", "/data/small"))) {
      assertThat(each.run().text()).endsWith("success: Created\n");
    }
    assertThat(copies(head)).isEqualTo(before + 4);
    assertThat(byCurl("/data/four?redirect", "/data/here").run().status()).isEqualTo(307);
  }

  /** Of what is wrong at once the head tells itself, and sends nobody on. */
  @Test
  void whatIsNotAllowedIsRefusedByTheHead() throws Exception {
    Files.writeString(node.data().resolve("there"), "there");
    Map<Curl, Integer> refused = new HashMap<>();
    refused.put(head.curl("/data/x").method("COPY").header("Source", remote.url("/data/y")), 401);
    refused.put(copy(head.token("storage.read:/"), "/data/x", "Source", remote.url("/y")), 403);
    refused.put(
        copy(head.token("storage.create:/"), "/data/probe", "Destination", remote.url("/y")), 403);
    refused.put(
        copy(head.token("storage.create:/"), "/data/there", "Source", remote.url("/y")), 403);
    refused.put(push("/data/not-there", "/data/y"), 404);
    refused.put(pull("/data/there", "/data/y").header("Overwrite", "F"), 412);
    refused.forEach(
        (asked, status) -> {
          Curl.Response answer = asked.run();
          assertThat(answer.status()).isEqualTo(status);
          assertThat(answer.header("Location")).isEmpty();
          Trials.held();
        });
  }

  @Test
  void ticketOfACopyIsGoodForNothingElse() throws Exception {
    Sample.write(remote.data().resolve("again"), 4, LARGE);
    Files.writeString(node.data().resolve("mine"), "mine");
    String creating = head.token("storage.create:/");
    Curl asked = copy(creating, "/data/created", "Source", remote.url("/data/again"));
    String url = asked.run().header("Location").orElseThrow();
    for (String method : List.of("GET", "PUT", "DELETE", "MOVE")) {
      assertThat(open(url).method(method).run().status()).as(method).isEqualTo(401);
    }
    assertThat(from(url.replace("/created", "/other")).run().status()).isEqualTo(401);
    Files.writeString(node.data().resolve("created"), "came first");
    assertThat(from(url).run().status()).as("may only create").isEqualTo(403);
    assertThat(node.data().resolve("created")).hasContent("came first");
    assertThat(from(url).run().status()).as("used").isEqualTo(401);

    // Who may read may not write beside it, by way of a copy within the server.
    Curl reading =
        copy(head.token("storage.read:/"), "/data/probe", "Destination", remote.url("/data/x"));
    String readable = reading.run().header("Location").orElseThrow();
    assertThat(open(readable).method("COPY").header("Destination", "/data/mine").run().status())
        .isEqualTo(403);
    assertThat(node.data().resolve("mine")).hasContent("mine");
    Trials.held(8);
  }

  private static Curl open(String url) {
    return Curl.to(url).trusting(remote.authority());
  }

  private static Curl from(String url) {
    return open(url)
        .method("COPY")
        .header("Source", remote.url("/data/again"))
        .header("TransferHeaderAuthorization", "Bearer " + given);
  }

  private static GridTools.Ran gfal(String mode, String... arguments) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("BEARER_TOKEN", head.token());
    environment.put("X509_CERT_DIR", tools.authorities().toString());
    environment.put("GFAL_PYTHONBIN", "/usr/bin/python3");
    List<String> all =
        new ArrayList<>(
            List.of(
                "-D",
                "HTTP PLUGIN:ENABLE_FALLBACK_TPC_COPY=false",
                "-D",
                "HTTP PLUGIN:ENABLE_STREAM_COPY=false",
                "--copy-mode",
                mode));
    all.addAll(List.of(arguments));
    return tools.run(
        "gfal-copy",
        "gfal2-util-scripts gfal2-plugin-http",
        environment,
        all.toArray(String[]::new));
  }

  private static String davs(RunningStorage at, String path) {
    return at.url(path).replace("https://", "davs://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pull", "push"})
  void gfalFollowsToTheNodeAndCompares(String mode) throws Exception {
    boolean pull = mode.equals("pull");
    Path from = (pull ? remote : node).data().resolve("by-gfal-" + mode);
    Sample sample = Sample.write(from, 5, LARGE);
    byTheNode(
        () ->
            gfal(
                    mode,
                    "-p",
                    "-K",
                    "ADLER32",
                    davs(pull ? remote : head, "/data/by-gfal-" + mode),
                    davs(pull ? head : remote, "/data/new/gfal-" + mode))
                .works());
    assertThat(Sample.of((pull ? node : remote).data().resolve("new/gfal-" + mode)))
        .isEqualTo(sample);
  }

  @Test
  void failureOfTheNodeIsToldAsTheHeadWouldTellIt() throws Exception {
    Sample.write(remote.data().resolve("gone"), 6, LARGE);
    Curl.Response failed =
        copy(head.token(), "/data/never", "Source", remote.url("/data/not-there"))
            .following()
            .run();
    assertThat(failed.text()).contains("404");
    // A token that is good for one side alone.
    GridTools.Ran denied = gfal("push", davs(head, "/data/probe"), davs(remote, "/nowhere/never"));
    assertThat(denied.exitCode()).as(denied.output()).isNotZero();
    assertThat(node.data().resolve("never")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pull", "push"})
  void davixFollowsToTheNode(String mode) throws Exception {
    boolean pull = mode.equals("pull");
    Path from = (pull ? remote : node).data().resolve("by-davix-" + mode);
    Sample sample = Sample.write(from, 7, LARGE);
    byTheNode(
        () ->
            tools
                .run(
                    "davix-cp",
                    "davix",
                    Map.of("LC_ALL", "C.UTF-8"),
                    "--capath",
                    tools.authorities().toString(),
                    "-H",
                    "Authorization: Bearer " + head.token(),
                    "-H",
                    "TransferHeaderAuthorization: Bearer " + given,
                    "-H",
                    "Credential: none",
                    "--copy-mode",
                    mode,
                    (pull ? remote : head).url("/data/by-davix-" + mode),
                    (pull ? head : remote).url("/data/davix-" + mode))
                .works());
    assertThat(Sample.of((pull ? node : remote).data().resolve("davix-" + mode))).isEqualTo(sample);
  }

  @Test
  void aNodeThatIsAwayLeavesTheCopyToTheHead() throws Exception {
    Sample sample = Sample.write(remote.data().resolve("survives"), 8, LARGE);
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.redirect.key-file", folder.resolve("key"));
    settings.put("staithe.redirect.nodes", "https://localhost:1");
    try (RunningStorage alone = RunningStorage.beside(remote, folder.resolve("alone"), settings)) {
      Curl.Response made =
          alone
              .curl("/data/copy?redirect")
              .method("COPY")
              .token(alone.token())
              .header("Source", remote.url("/data/survives"))
              .header("TransferHeaderAuthorization", "Bearer " + given)
              .run();
      assertThat(made.text()).endsWith("success: Created\n");
      assertThat(Sample.of(alone.data().resolve("copy"))).isEqualTo(sample);
    }
  }
}
