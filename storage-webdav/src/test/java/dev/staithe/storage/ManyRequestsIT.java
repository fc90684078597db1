package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.Program;
import dev.staithe.storage.RawConnection.Answer;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.Rclone;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many small files over one connection, by those clients that do not wait for each answer: requests
 * in a row on HTTP/1.1 (RFC 9112 section 9.3.2) and streams side by side on HTTP/2 (RFC 9113).
 */
class ManyRequestsIT {
  private static final int FILES = 300;
  private static final Program H2LOAD = new Program("h2load", "nghttp2-client");
  private static final Program NGHTTP = new Program("nghttp", "nghttp2-client");
  private static final Duration LONGEST = Duration.ofMinutes(3);

  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() {
    storage =
        RunningStorage.start(
            folder.resolve("storage"),
            Map.of(
                "staithe.http2",
                true,
                "staithe.areas[1].sync",
                "none",
                "staithe.areas[0].sync",
                "none"));
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static String request(String method, String path, String token, String content) {
    return "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s\r\n%s"
        .formatted(
            method,
            path,
            token,
            method.equals("PUT") ? "Content-Length: " + content.length() + "\r\n" : "",
            content);
  }

  /** Sends all before it reads any answer; those must come in the order of the requests. */
  private static List<Answer> inARow(List<String> requests) throws Exception {
    try (RawConnection connection = RawConnection.to(storage)) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      connection.send(String.join("", requests));
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      List<Answer> answers = new ArrayList<>();
      for (String request : requests) {
        answers.add(request.startsWith("HEAD") ? connection.head() : connection.answer());
        Trials.held();
      }
      sender.join();
      return answers;
    }
  }

  private static List<Integer> statuses(List<Answer> answers) {
    return answers.stream().map(Answer::status).toList();
  }

  private static List<String> requests(String method, String folder) {
    return IntStream.range(0, FILES)
        .mapToObj(
            i -> request(method, "/data/" + folder + "/" + i, storage.token(), "content " + i))
        .toList();
  }

  private static List<Integer> all(int status) {
    return java.util.Collections.nCopies(FILES, status);
  }

  @Test
  void requestsInARowAreAnsweredInTheirOrder() throws Exception {
    assertThat(statuses(inARow(requests("PUT", "row")))).isEqualTo(all(201));

    List<Answer> read = inARow(plain(requests("GET", "row")));
    for (int i = 0; i < FILES; i++) {
      assertThat(read.get(i).text()).isEqualTo("content " + i);
    }
    List<Answer> looked = inARow(plain(requests("HEAD", "row")));
    for (int i = 0; i < FILES; i++) {
      assertThat(looked.get(i).status()).isEqualTo(200);
      assertThat(looked.get(i).header("Content-Length")).contains("" + ("content " + i).length());
    }
    assertThat(statuses(inARow(plain(requests("DELETE", "row"))))).isEqualTo(all(204));
    try (Stream<Path> left = Files.list(storage.data().resolve("row"))) {
      assertThat(left).isEmpty();
    }
  }

  /** Requests without content. */
  private static List<String> plain(List<String> requests) {
    return requests.stream().map(each -> each.substring(0, each.indexOf("\r\n\r\n") + 4)).toList();
  }

  /** What cannot be done is answered at its place, and what comes after it is done. */
  @Test
  void refusalsInTheMiddleOfARowBreakNothingThatComesAfter() throws Exception {
    List<String> requests = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    String token = storage.token();
    String poor = storage.token("storage.read:/elsewhere");
    for (int i = 0; i < 50; i++) {
      String path = "/data/mixed/" + i;
      requests.add(request("PUT", path, token, "content " + i));
      expected.add(201);
      requests.add(plain(List.of(request("GET", "/data/missing/" + i, token, ""))).getFirst());
      expected.add(404);
      requests.add(request("PUT", path, poor, "never seen"));
      expected.add(403);
      requests.add(request("PUT", path, "no token", "never seen"));
      expected.add(401);
      requests.add(
          request("PUT", path, token, "never seen")
              .replace("\r\nContent-Length", "\r\nIf-None-Match: *\r\nContent-Length"));
      expected.add(412);
      requests.add(plain(List.of(request("GET", path, token, ""))).getFirst());
      expected.add(200);
    }

    List<Answer> answers = inARow(requests);

    assertThat(statuses(answers)).isEqualTo(expected);
    for (int i = 0; i < 50; i++) {
      assertThat(answers.get(6 * i + 5).text()).isEqualTo("content " + i);
    }
  }

  private static Program.Ran run(Program program, String... arguments) {
    Program.Ran ran = program.run(Arrays.asList(arguments), Map.of(), new byte[0], LONGEST, folder);
    assertThat(ran.exitCode()).as(ran.errors()).isZero();
    return ran;
  }

  private static String text(Program.Ran ran) {
    return new String(ran.output(), StandardCharsets.UTF_8);
  }

  /** A file of what the program is told, with the token where no argument shows it. */
  private Path urls(String name) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        IntStream.range(0, FILES)
            .mapToObj(i -> storage.url("/open/" + name + "/" + i))
            .collect(Collectors.joining("\n", "", "\n")));
  }

  private static void fill(String name) throws IOException {
    Path into = Files.createDirectories(storage.open().resolve(name));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(into.resolve("" + i), "content " + i);
    }
  }

  /** By one connection: 16 requests under way in a row, or 100 streams. */
  @ParameterizedTest
  @ValueSource(strings = {"--h1 -m16", "-m100"})
  void aClientThatDoesNotWaitGetsEveryFile(String protocol) throws IOException {
    fill("load");
    List<String> arguments = new ArrayList<>(List.of(protocol.split(" ")));
    arguments.addAll(List.of("-c1", "-n" + 10 * FILES, "-i", urls("load").toString()));

    String said = text(run(H2LOAD, arguments.toArray(String[]::new)));

    assertThat(said)
        .contains(10 * FILES + " done, " + 10 * FILES + " succeeded, 0 failed, 0 errored")
        .contains("status codes: " + 10 * FILES + " 2xx")
        .contains(protocol.startsWith("--h1") ? "http/1.1" : "protocol: h2");
  }

  @Test
  void streamsSideBySideRemoveManyFilesAndTellWhatIsMissing() throws IOException {
    fill("gone");

    String twice =
        text(
            run(
                H2LOAD,
                "-m100",
                "-c1",
                "-n" + 2 * FILES,
                "-H:method: DELETE",
                "-i",
                urls("gone").toString()));

    assertThat(twice).contains("status codes: " + FILES + " 2xx, 0 3xx, " + FILES + " 4xx, 0 5xx");
    try (Stream<Path> left = Files.list(storage.open().resolve("gone"))) {
      assertThat(left).isEmpty();
    }
  }

  /** As people do it: curl with a list of files, all over one connection. */
  @Test
  void curlStoresAndFetchesAListOfFilesOverOneConnection() throws IOException {
    Path sent = Files.createDirectories(folder.resolve("sent"));
    Path fetched = Files.createDirectories(folder.resolve("fetched"));
    StringBuilder up = new StringBuilder(settings());
    StringBuilder down = new StringBuilder(settings());
    for (int i = 0; i < FILES; i++) {
      Path file = Files.write(sent.resolve("" + i), Sample.bytes(i, 1000 + i));
      String url = storage.url("/data/list/" + i);
      up.append(
          "upload-file = \"%s\"\nurl = \"%s\"\noutput = \"%s\"\n"
              .formatted(file, url, "/dev/null"));
      down.append("url = \"%s\"\noutput = \"%s\"\n".formatted(url, fetched.resolve("" + i)));
    }

    assertThat(connections(up)).as("connections of %d uploads", FILES).isEqualTo(1);
    assertThat(connections(down)).as("connections of %d downloads", FILES).isEqualTo(1);

    for (int i = 0; i < FILES; i++) {
      assertThat(fetched.resolve("" + i)).hasBinaryContent(Sample.bytes(i, 1000 + i));
    }
  }

  /** As of one who tries again: each is refused, and so none of the others is. */
  @Test
  void curlIsToldOfEveryUploadThatIsRefused() throws IOException {
    fill("there");
    Path file = Files.writeString(folder.resolve("again"), "other content");
    StringBuilder again =
        new StringBuilder(
            settings()
                .replace("fail\n", "")
                .replace("num_connects", "http_code")
                .replace("header = ", "header = \"If-None-Match: *\"\nheader = "));
    for (int i = 0; i < FILES; i++) {
      again.append(
          "upload-file = \"%s\"\nurl = \"%s\"\noutput = \"%s\"\n"
              .formatted(file, storage.url("/open/there/" + i), "/dev/null"));
    }

    assertThat(connections(again)).isEqualTo(412 * FILES);
  }

  /** Go's client tells of each piece that it has read. */
  @Test
  void rcloneFetchesALargeFile() throws IOException {
    Sample sample = Sample.write(storage.data().resolve("large"), 9, 200_000_001);
    Rclone rclone = Rclone.withToken(storage.url("/data/"), storage.token(), storage.authority());

    Rclone.Result fetched =
        rclone.run("copyto", "--retries", "1", ":webdav:large", folder.resolve("large") + "");

    assertThat(fetched.exitCode()).as(fetched.errors()).isZero();
    assertThat(fetched.errors()).isEmpty();
    assertThat(Sample.of(folder.resolve("large"))).isEqualTo(sample);
  }

  private static String settings() {
    return """
        silent
        show-error
        fail
        parallel
        parallel-max = 50
        http2
        cacert = "%s"
        header = "Authorization: Bearer %s"
        write-out = "%%{num_connects} "
        """
        .formatted(storage.authority().certificateFile(), storage.token());
  }

  private static int connections(StringBuilder settings) throws IOException {
    Path file = Files.writeString(folder.resolve("curl.settings"), settings);
    return Arrays.stream(text(run(Program.CURL, "--config", file.toString())).strip().split(" "))
        .mapToInt(Integer::parseInt)
        .sum();
  }

  /** A client is told how many streams it may have, and has no more at once. */
  @Test
  void streamsOfAConnectionAreLimitedAndTheLimitIsTold() throws IOException {
    Files.writeString(storage.open().resolve("one"), "one");

    String said = text(run(NGHTTP, "-nv", storage.url("/open/one")));

    assertThat(said.replaceAll("\\s+", " "))
        .containsPattern("SETTINGS_MAX_CONCURRENT_STREAMS\\(0x03\\):128\\b");
    Curl.Response after = storage.curl("/open/one").flag("http2").run();
    assertThat(after.version()).isEqualTo("2");
  }
}
