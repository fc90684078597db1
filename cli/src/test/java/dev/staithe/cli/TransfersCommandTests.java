package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command makes of the answers that a storage element gives. */
class TransfersCommandTests {
  private static final String LIST =
      """
      {"time":"2026-11-24T12:00:00Z","running":1,"queued":1,"ended":1,"transfers":[
      {"id":"id-1","state":"running","phase":"transferring","direction":"pull","area":"data",
      "path":"/data/a","remote":"https://far.example:443/a","peers":["tcp:192.0.2.7:443"],
      "waitedSeconds":0.0,"ranSeconds":2.0,"bytes":1572864,"size":3145728,"rate":786432,"streams":2,
      "waitsFor":"peer","connections":[
      {"peer":"tcp:192.0.2.7:443","rttMillis":0.1,"receivedRttMillis":120.5,"retransmits":3,
      "congestionWindow":10,"segmentBytes":1448,"congestionControl":"cubic"},
      {"peer":"tcp:192.0.2.7:443","rttMillis":80.0,"retransmits":4,
      "congestionWindow":7,"segmentBytes":1448,"congestionControl":"cubic"}],"mayCancel":true},
      {"id":"id-2","state":"queued","direction":"push","path":"/data/b\\u001b[31m",
      "remote":"https://other.example:8443/b","peers":[],"bytes":0,"rate":0,"streams":1,
      "waitsFor":"queue","mayCancel":true},
      {"id":"id-3","state":"ended","direction":"pull","path":"/data/c","peers":[],"bytes":7,
      "remote":"https://far.example/c","size":7,"rate":7,"streams":1,"outcome":"failed",
      "reason":"rejected GET: 404 Not Found","mayCancel":false}]}
      """;

  private static final String ODD =
      "{\"error\":\"x\\u0007\",\"message\":\"no \\u001b]0;ours\\u0007\\nstaithe: done\\u009b2J\"}";

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final List<String> asked = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            asked.add(
                exchange.getRequestMethod()
                    + " "
                    + exchange.getRequestURI()
                    + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            boolean odd = exchange.getRequestURI().getPath().endsWith("/odd");
            boolean gone = odd || exchange.getRequestURI().getPath().endsWith("/gone");
            boolean list = exchange.getRequestMethod().equals("GET");
            byte[] answer =
                (odd
                        ? ODD
                        : gone
                            ? "there is no such transfer\n"
                            : list ? LIST : "{\"direction\":\"pull\",\"path\":\"/data/a\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(gone ? 404 : list ? 200 : 202, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    server.start();
    Files.writeString(folder.resolve("token"), "secret-token\n");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int staithe(String... arguments) {
    return staithe(new PrintWriter(out, true), arguments);
  }

  private int staithe(PrintWriter results, String... arguments) {
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), results, writer);
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC())
        .setErr(writer)
        .execute(arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private String token() {
    return folder.resolve("token").toString();
  }

  @Test
  void copiesAreListedWithWhatTheyWaitForAndTheWorstOfTheirConnections() {
    assertThat(staithe("transfers", "--url", url(), "--token-file", token())).isZero();

    assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .containsExactly(
            "1 running, 1 queued, 1 ended",
            "id|state|done|rate|streams|peer|file|why",
            "id-1|running|1.5MiB 50%|768.0KiB/s|2|192.0.2.7:443|<- /data/a"
                + "|peer; rtt 120.5 ms, 7 retransmits, window 7",
            "id-2|queued|0B|-|1|other.example:8443|-> /data/b [31m|queue",
            "id-3|failed|7B 100%|7B/s|1|far.example|<- /data/c|rejected GET: 404 Not Found");
    assertThat(asked).containsExactly("GET /.staithe/transfers Bearer secret-token");
  }

  @Test
  void jsonIsTheAnswerOfTheServer() {
    assertThat(staithe("transfers", "--json", "--url", url(), "--token-file", token())).isZero();

    assertThat(out.toString()).contains("\"waitsFor\" : \"queue\"", "\"id-3\"");
  }

  @Test
  void watchingLooksAgain() {
    String[] twice = {
      "transfers", "--watch", "1", "--times", "2", "--url", url(), "--token-file", token()
    };
    assertThat(staithe(twice)).isZero();

    assertThat(asked).hasSize(2);
    // What is no terminal is not cleared.
    assertThat(out.toString()).doesNotContain("\033").contains("1 running");
    assertThat(staithe("transfers", "--watch", "0", "--url", url(), "--token-file", token()))
        .isEqualTo(2);
  }

  @Test
  void watchingEndsWithItsReader() throws IOException {
    Writer gone = Writer.nullWriter();
    gone.close();
    String[] twice = {
      "transfers", "--watch", "1", "--times", "2", "--url", url(), "--token-file", token()
    };

    assertThat(staithe(new PrintWriter(gone, true), twice)).isEqualTo(1);
    assertThat(asked).hasSize(1);
    assertThat(out.toString()).isEqualTo("staithe: standard output cannot be written\n");
  }

  @Test
  void oneIsCancelledAndARefusalIsToldInItsOwnWords() {
    assertThat(staithe("transfers", "cancel", "id-1", "--url", url(), "--token-file", token()))
        .isZero();
    assertThat(out.toString()).isEqualTo("cancelled: pull /data/a\n");
    assertThat(asked).containsExactly("DELETE /.staithe/transfers/id-1 Bearer secret-token");

    assertThat(staithe("transfers", "--url", url(), "--token-file", token(), "cancel", "gone"))
        .isEqualTo(1);
    assertThat(out.toString()).endsWith("staithe: HTTP 404: there is no such transfer\n");
    assertThat(staithe("transfers", "cancel", "id-1")).isEqualTo(2);
    assertThat(out.toString()).doesNotContain("secret-token");
  }

  @Test
  void whatIsNoTokenIsNeitherSentNorShown() throws IOException {
    for (String content : List.of("\uFEFFsecret-token\n", "secret token\n", "", "\nsecret-token")) {
      Files.writeString(folder.resolve("token"), content);
      out.getBuffer().setLength(0);

      assertThat(staithe("transfers", "--url", url(), "--token-file", token())).isEqualTo(1);

      assertThat(out.toString())
          .startsWith("staithe: " + token() + " holds no token: ")
          .hasLineCount(1)
          .doesNotContain("secret");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void tokenThatAnotherUserPutsWhereOnesOwnIsLookedForIsNotSent() throws IOException {
    Object uid = Files.getAttribute(folder, "unix:uid");
    Path file = folder.resolve("bt_u" + uid);
    if (uid.equals(0)) {
      Files.writeString(file, "planted-token\n");
      Files.setAttribute(file, "unix:uid", 65534);
    } else {
      // Who is not root can give no file away, but has some of root's.
      Files.createSymbolicLink(file, Path.of("/etc/passwd"));
    }
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);
    var profile = new Profile(folder, Map.of("XDG_RUNTIME_DIR", folder.toString()));

    Commands.commandLine(profile, terminal, Clock.systemUTC()).execute("transfers", "--url", url());

    assertThat(out.toString()).startsWith("staithe: " + file + " is another user's, and is passed");
    assertThat(asked).noneMatch(each -> each.contains("planted-token"));
  }

  @Test
  void refusalIsOneLineThatMovesNoCursor() {
    assertThat(staithe("transfers", "--url", url(), "--token-file", token(), "cancel", "odd"))
        .isEqualTo(1);

    assertThat(out.toString()).isEqualTo("staithe: HTTP 404: no ]0;ours staithe: done 2J\n");
  }
}
