package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no good client makes: one clear line, no path of the file system, no HTML. */
class BadRequestTests {
  private static void isOneCleanLine(RawConnection.Answer answer) {
    assertThat(answer.text())
        .as(answer.toString())
        .hasLineCount(1)
        .endsWith("\n")
        .doesNotContain("<", "Exception", "\tat ", storage.open().toString(), "jetty", "Jetty");
    assertThat(answer.header("Content-Type").orElse("text/plain")).startsWith("text/plain");
    assertThat(answer.header("Server")).isEmpty();
  }

  private static RawConnection.Answer target(String target) throws IOException {
    return RawConnection.ask(storage, "GET " + target + " HTTP/1.1", "Host: localhost");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/open/x#fragment",
        "/open/a%2Fb",
        "/open/a%2fb",
        "/open/../etc/passwd",
        "/open/./x",
        "/open/%2e%2e/etc/passwd",
        "/open/%2E%2E/etc/passwd",
        "/open/.%2e/x",
        "/open/%2e/x",
        "/open/..",
        "/../../etc/passwd",
        "/open//x",
        "//open/x",
        "/open/a%00b",
        "/open/a%0ab",
        "/open/a%1fb",
        "/open/a%7fb",
        "/open/%ff",
        "/open/%c0%ae%c0%ae/x",
        "/open/%ed%a0%80",
        "/open/%",
        "/open/%4",
        "/open/%zz",
        "/open/%u002e",
        "/open/.staithe/stage",
        "/open/.STAITHE/stage",
        "/open/%2estaithe/stage",
        "/open/.staithe-more",
        "/open/\u00e4\u00f6",
        "/.staithe/../open/x",
        "/.staithe/%2e%2e/open/x",
        "/.well-known/..%2fopen"
      })
  void pathThatIsNoneIsABadRequest(String path) throws IOException {
    RawConnection.Answer answer = target(path);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    isOneCleanLine(answer);
  }

  @Test
  void nameAndPathBeyondTheLimitAreBadRequests() throws IOException {
    assertThat(target("/open/" + "n".repeat(255)).status()).isEqualTo(404);
    RawConnection.Answer name = target("/open/" + "n".repeat(256));
    assertThat(name.status()).isEqualTo(400);
    isOneCleanLine(name);
    RawConnection.Answer path = target("/open" + "/0123456789".repeat(400));
    assertThat(path.status()).isEqualTo(400);
    isOneCleanLine(path);
  }

  @Test
  void pathOfOursWithAsManySegmentsAsAHeadHasRoomForIsABadRequest() throws IOException {
    RawConnection.Answer path = target("/.staithe" + "/a".repeat(15_000) + "/%20");
    assertThat(path.status()).as(path.toString()).isEqualTo(400);
    isOneCleanLine(path);
  }

  /** What is wrong with a head, in words of whoever has to mend the client. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Length: 5\\r\\nContent-Length: 6 | Content-Length",
        "Transfer-Encoding: chunked\\r\\nContent-Length: 6 | Transfer-Encoding",
        "Content-Length: -1 | Content-Length",
        "Host: other | Host",
        "No colon | ",
      })
  void headThatIsMalformedIsToldWhatIsWrongWithIt(String field, @Nullable String named)
      throws IOException {
    RawConnection.Answer answer =
        RawConnection.ask(
            storage, "PUT /open/x HTTP/1.1", "Host: localhost", field.replace("\\r\\n", "\r\n"));
    assertThat(answer.status()).isEqualTo(400);
    isOneCleanLine(answer);
    assertThat(answer.text())
        .matches("the request cannot be served: Bad Request \\(.{5,200}\\)\n")
        .contains(named == null ? "" : named);
  }

  @Test
  void backslashesSemicolonsAndPlusSignsAreNamesLikeOthers() throws IOException {
    assertThat(target("/open/..%5c..%5cx").status()).isEqualTo(404);
    assertThat(target("/open/x;jsessionid=1").status()).isEqualTo(404);
    assertThat(target("/open/..;/x").status()).isEqualTo(404);
    assertThat(target("/open/%252e%252e").status()).isEqualTo(404);
    assertThat(target("/open/..a").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH", "TRACE", "SEARCH", "REPORT", "BREW", "get", "FOO"})
  void methodThatWeDoNotHaveIsNotAllowed(String method) throws IOException {
    RawConnection.Answer answer =
        RawConnection.ask(
            storage, method + " /open/ HTTP/1.1", "Host: localhost", "Content-Length: 0");
    assertThat(answer.status()).isIn(405, 501);
    assertThat(answer.header("Allow").orElseThrow()).contains("GET", "PROPFIND");
    isOneCleanLine(answer);
  }

  @Test
  void methodThatMakesWhatIsThereAlreadyIsNotAmongThoseThatAreAllowed() {
    String folder = freshCollection();
    String noSlash = folder.substring(0, folder.length() - 1);
    for (Curl request :
        List.of(
            curl("MKCOL", folder),
            Requests.put(noSlash, "x"),
            Requests.put(noSlash, "x").header("Content-Range", "bytes 0-0/1"))) {
      Curl.Response refused = request.run();
      assertThat(refused.status()).isEqualTo(405);
      assertThat(refused.header("Allow").orElseThrow().split(", "))
          .contains("GET", "PROPFIND", "DELETE")
          .doesNotContain("MKCOL", "PUT");
    }
  }

  @Test
  void onlyMethodsThatAreThereAreAdvertised() throws IOException {
    for (String method :
        curl("OPTIONS", "/open/").run().header("Allow").orElseThrow().split(", ")) {
      try (RawConnection client = RawConnection.to(storage)) {
        client.send(method + " " + freshCollection() + "none HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(client.head().status()).as(method).isNotIn(405, 501);
      }
    }
  }

  @Test
  void starIsATargetOfOptionsOnly() throws IOException {
    assertThat(RawConnection.ask(storage, "OPTIONS * HTTP/1.1", "Host: localhost").header("DAV"))
        .contains("1, 2, 3");
    assertThat(RawConnection.ask(storage, "DELETE * HTTP/1.1", "Host: localhost").status())
        .isEqualTo(400);
    assertThat(
            RawConnection.ask(storage, "CONNECT evil.example:443 HTTP/1.1", "Host: evil.example")
                .status())
        .isIn(400, 405, 501);
  }

  @Test
  void headThatIsTooLargeIsRefusedInPlainText() throws IOException {
    RawConnection.Answer fields =
        RawConnection.ask(
            storage, "GET /open/ HTTP/1.1", "Host: localhost", "X-Large: " + "x".repeat(40_000));
    assertThat(fields.status()).isEqualTo(431);
    isOneCleanLine(fields);
    RawConnection.Answer uri = target("/open/" + "x".repeat(40_000));
    assertThat(uri.status()).isIn(400, 414, 431);
    isOneCleanLine(uri);
  }

  @Test
  void requestsThatCouldBeReadInTwoWaysAreRefused() throws IOException {
    String[][] smuggled = {
      {"Content-Length: 3", "Content-Length: 4"},
      {"Content-Length: 3, 4"},
      {"Content-Length: 3", "Transfer-Encoding: chunked"},
      {"Transfer-Encoding: chunked", "Content-Length: 3"},
      {"Transfer-Encoding: gzip, chunked, identity"},
      {"Transfer-Encoding: xchunked"},
      {"Content-Length: -1"},
      {"Content-Length: +3"},
      {"Content-Length: 0x3"},
      {"Content-Length : 3"},
      {" Folded: first"},
      {"X-A: b", " folded"},
      {"X-\u0000: nul"},
      {"X: a\u0000b"},
    };
    String file = freshCollection() + "file";
    for (String[] fields : smuggled) {
      try (RawConnection client = RawConnection.to(storage)) {
        client.send(
            "PUT "
                + file
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join("\r\n", fields)
                + "\r\n\r\nabc");
        RawConnection.Answer answer = client.answer();
        assertThat(answer.status()).as(String.join(" | ", fields)).isIn(400, 501);
        isOneCleanLine(answer);
      }
      assertThat(status(file)).as(String.join(" | ", fields)).isEqualTo(404);
      Trials.held();
    }
  }

  @Test
  void requestWithoutHostOrWithTwoIsRefused() throws IOException {
    assertThat(RawConnection.ask(storage, "GET /open/ HTTP/1.1").status()).isEqualTo(400);
    assertThat(RawConnection.ask(storage, "GET /open/ HTTP/1.1", "Host: a", "Host: b").status())
        .isEqualTo(400);
  }

  @Test
  void garbageInsteadOfARequestIsAnsweredOrCutOff() throws IOException {
    try (RawConnection client = RawConnection.to(storage)) {
      client.send("\u0016\u0003\u0001 not http at all\r\n\r\n");
      RawConnection.Answer answer = client.answer();
      assertThat(answer.status()).isEqualTo(400);
      isOneCleanLine(answer);
    } catch (EOFException cutOff) {
      assertThat(cutOff).isNotNull();
    }
  }

  @Test
  void clientThatAsksForJsonGetsProblemDetails() {
    Curl.Response response = get("/open/none").header("Accept", "application/problem+json").run();
    assertThat(response.status()).isEqualTo(404);
    assertThat(response.header("Content-Type")).contains("application/problem+json");
    assertThat(response.text())
        .isEqualTo(
            "{\"status\":404,\"title\":\"Not Found\","
                + "\"detail\":\"there is no such file or collection\"}\n");
    Curl.Response quoted = curl("\"\\", "/open/none").header("Accept", "application/json").run();
    assertThat(quoted.status()).isIn(400, 405);
    Curl.Response html = get("/open/none").header("Accept", "text/html").run();
    assertThat(html.header("Content-Type").orElseThrow()).startsWith("text/plain");
  }

  @Test
  void requestIdThatIsSaneComesBackAndAHostileOneDoesNot() {
    for (String sane : new String[] {"job-1.a_B", "fts:7"}) {
      assertThat(get("/open/").header("X-Request-Id", sane).run().header("X-Request-Id"))
          .contains(sane);
    }
    for (String hostile :
        new String[] {"a b", "<script>", "x".repeat(65), "\u00e4", "a\"b", "a,b", "${x}", "a;b"}) {
      assertThat(get("/open/").header("X-Request-Id", hostile).run().header("X-Request-Id"))
          .hasValueSatisfying(id -> assertThat(id).isNotEqualTo(hostile).matches("[a-z0-9]{1,16}"));
    }
    assertThat(get("/open/").run().header("X-Request-Id")).isPresent();
  }

  @Test
  void nothingOfARequestCanAddAHeaderToTheAnswer() throws IOException {
    RawConnection.Answer answer =
        RawConnection.ask(
            storage,
            "COPY /open/%0d%0aX-Evil:%201 HTTP/1.1",
            "Host: localhost",
            "Destination: https://localhost/open/%0d%0aX-Evil:%201");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.headers()).doesNotContainKey("x-evil");
    RawConnection.Answer range =
        RawConnection.ask(
            storage,
            "PUT /open/x HTTP/1.1",
            "Host: localhost",
            "Content-Length: 0",
            "Digest: md5=\rX-Evil: 1");
    assertThat(range.headers()).doesNotContainKey("x-evil");
  }

  @Test
  void mkcolHeedsItsConditions() {
    String folder = freshCollection();
    String made = folder + "made/";
    assertThat(curl("MKCOL", made).header("If-Match", "*").run().status()).isEqualTo(412);
    assertThat(status(made)).isEqualTo(404);
    String below = folder + "none/made/";
    assertThat(curl("MKCOL", below).header("If-Match", "*").run().status()).isEqualTo(409);
    assertThat(curl("MKCOL", made).header("If-None-Match", "*").run().status()).isEqualTo(201);
    assertThat(curl("MKCOL", made).header("If-Match", "\"old\"").run().status()).isEqualTo(405);
  }

  @Test
  void mkcolFollowsTheStandard() {
    String folder = freshCollection();
    assertThat(curl("MKCOL", folder).run().status()).isEqualTo(405);
    assertThat(curl("MKCOL", folder + "a/b/").run().status()).isEqualTo(409);
    assertThat(curl("MKCOL", folder + "body/").body("<x/>").run().status()).isEqualTo(415);
    assertThat(status(folder + "body/")).isEqualTo(404);
    Requests.put(folder + "file", "x").run();
    assertThat(curl("MKCOL", folder + "file/").run().status()).isEqualTo(405);
    assertThat(curl("MKCOL", folder + "plain").run().status()).isEqualTo(201);
    assertThat(curl("MKCOL", "/").run().status()).isEqualTo(405);
    assertThat(curl("MKCOL", "/elsewhere/").run().status()).isEqualTo(404);
  }

  @Test
  void optionsAreToldOnEveryPathWithoutAToken() {
    for (String path : new String[] {"/", "/open/", "/data/none", "/elsewhere"}) {
      Curl.Response response = curl("OPTIONS", path).run();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.header("DAV")).contains("1, 2, 3");
      assertThat(response.header("Allow").orElseThrow()).contains("PROPFIND", "COPY");
      assertThat(response.header("Content-Length")).contains("0");
    }
  }
}
