package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.destination;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.lock;
import static dev.staithe.storage.dav.Requests.propfind;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, as it is seen on the wire (RFC 6750 section 3, WLCG JWT profile 1.3). */
class AdmissionTests {
  private final String own = "/" + UUID.randomUUID();
  private final String folder = "/data" + own + "/";

  @BeforeEach
  void makeFiles() {
    curl("MKCOL", folder).token(storage.token()).run();
    curl("MKCOL", folder + "foo/").token(storage.token()).run();
    put(folder + "foo/file", "inside").token(storage.token()).run();
    put(folder + "foobar", "outside").token(storage.token()).run();
  }

  private String scoped(String scope) {
    return storage.token(scope.replace("~", own));
  }

  /** As ROOT and XRootD's clients show theirs. */
  @Test
  void tokenInTheUrlCountsAsOneInTheHeader() {
    String reads = scoped("storage.read:~/foo");
    for (String query : List.of("?authz=Bearer%20" + reads, "?x=1&authz=" + reads)) {
      Curl.Response read = get(folder + "foo/file" + query).run();
      assertThat(read.text()).isEqualTo("inside");
      assertThat(read.header("Cache-Control")).hasValue("private");
      assertThat(get(folder + "foobar" + query).run().status()).isEqualTo(403);
      assertThat(put(folder + "foo/file" + query, "other").run().status()).isEqualTo(403);
    }
    assertThat(get(folder + "foo/file?authz=" + reads).token(reads).run().status()).isEqualTo(200);
    assertThat(get(folder + "foo/file?authz=" + reads).token(storage.token()).run().status())
        .isEqualTo(400);
    for (String bad : List.of("", "%zz", "no-token", "Basic%20YTpi", reads.substring(5))) {
      assertThat(get(folder + "foo/file?authz=" + bad).run().status()).as(bad).isEqualTo(401);
    }
  }

  @Test
  void callerWithoutTokenIsAskedForOneWithoutAnError() {
    Curl.Response response = get(folder + "foo/file").run();
    assertThat(response.status()).isEqualTo(401);
    assertThat(response.header("WWW-Authenticate"))
        .hasValueSatisfying(h -> assertThat(h).startsWith("Bearer").doesNotContain("error"));
    assertThat(response.text()).contains("storage.read").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET",
        "PUT",
        "DELETE",
        "MKCOL",
        "COPY",
        "MOVE",
        "PROPFIND",
        "PROPPATCH",
        "LOCK",
        "UNLOCK"
      })
  void noMethodTellsAStrangerWhatExists(String method) {
    Curl.Response there = curl(method, folder + "foo/file").run();
    Curl.Response notThere = curl(method, folder + "foo/none").run();
    assertThat(there.status()).isIn(400, 401);
    assertThat(notThere.status()).isEqualTo(there.status());
    assertThat(notThere.text().replace("none", "file")).isEqualTo(there.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "PUT", "DELETE", "MKCOL", "PROPFIND", "PROPPATCH", "LOCK", "UNLOCK"})
  void noMethodTellsWhatExistsOutsideTheTokensPath(String method) {
    String token = scoped("storage.read:~/elsewhere storage.modify:~/elsewhere");
    Curl.Response there = curl(method, folder + "foo/file").token(token).header("Depth", "0").run();
    Curl.Response notThere =
        curl(method, folder + "foo/none").token(token).header("Depth", "0").run();
    assertThat(there.status()).isEqualTo(403);
    assertThat(notThere.status()).isEqualTo(403);
    assertThat(notThere.text().replace("none", "file")).isEqualTo(there.text());
    assertThat(there.header("WWW-Authenticate").orElseThrow())
        .contains("error=\"insufficient_scope\"");
  }

  @Test
  void insideTheTokensPathWhatIsMissingIsNotFound() {
    assertThat(get(folder + "foo/none").token(scoped("storage.read:~/foo")).run().status())
        .isEqualTo(404);
    assertThat(
            curl("DELETE", folder + "foo/none")
                .token(scoped("storage.modify:~/foo"))
                .run()
                .status())
        .isEqualTo(404);
  }

  @Test
  void brokenTokenIsInvalid() {
    List<String> tokens =
        List.of(
            "garbage",
            "a.b.c",
            storage.token() + "x",
            storage
                .issuer()
                .token()
                .scope("storage.read:/")
                .audience(RunningStorage.AUDIENCE)
                .lifetime(Duration.ofMinutes(-1))
                .sign(),
            storage
                .issuer()
                .token()
                .scope("storage.read:/")
                .audience("https://else.example")
                .sign(),
            storage.issuer().token().scope("storage.read:/").without("aud").sign(),
            storage.issuer().token().scope("storage.read").audience(RunningStorage.AUDIENCE).sign(),
            storage
                .issuer()
                .token()
                .scope("storage.read:/")
                .audience(RunningStorage.AUDIENCE)
                .claim("iss", "https://evil.example")
                .sign(),
            storage
                .issuer()
                .token()
                .scope("storage.read:/")
                .audience(RunningStorage.AUDIENCE)
                .unsigned());
    for (String token : tokens) {
      Curl.Response response = get(folder + "foo/file").token(token).run();
      assertThat(response.status()).as(token).isEqualTo(401);
      assertThat(response.header("WWW-Authenticate").orElseThrow())
          .contains("error=\"invalid_token\"", "error_description=\"");
      assertThat(response.text()).hasLineCount(1).doesNotContain(token, "Exception");
    }
  }

  @Test
  void brokenTokenIsRefusedEvenWhereNoneIsNeeded() {
    assertThat(get("/open/").token("garbage").run().status()).isEqualTo(401);
  }

  @Test
  void otherSchemesAndDoubledCredentialsAreRefused() {
    assertThat(get(folder + "foo/file").header("Authorization", "Basic YTpi").run().status())
        .isEqualTo(401);
    assertThat(get(folder + "foo/file").token(storage.token()).token("garbage").run().status())
        .isEqualTo(400);
    String twice = storage.token();
    assertThat(get(folder + "foo/file").token(twice).token(twice).run().status()).isEqualTo(200);
    assertThat(
            get(folder + "foo/file")
                .header("Authorization", "bearer " + storage.token())
                .run()
                .status())
        .isEqualTo(200);
    assertThat(get(folder + "foo/file?access_token=" + storage.token()).run().status())
        .isEqualTo(401);
  }

  @Test
  void pathsAreComparedByWholeNames() {
    String token = scoped("storage.read:~/foo storage.modify:~/foo");
    assertThat(get(folder + "foo/file").token(token).run().text()).isEqualTo("inside");
    assertThat(get(folder + "foobar").token(token).run().status()).isEqualTo(403);
    assertThat(put(folder + "foobar", "x").token(token).run().status()).isEqualTo(403);
    assertThat(curl("DELETE", folder + "foobar").token(token).run().status()).isEqualTo(403);
    assertThat(get(folder + "%66oo/file").token(token).run().status())
        .as("encoding is not part of the name")
        .isEqualTo(200);
    assertThat(get(folder + "FOO/file").token(token).run().status()).isEqualTo(403);
    assertThat(get(folder + "foo/../foobar").token(token).run().status()).isEqualTo(400);
    assertThat(get(folder + "foo/%2e%2e/foobar").token(token).run().status()).isEqualTo(400);
    assertThat(get(folder + "foo%2Ffile").token(token).run().status()).isEqualTo(400);
  }

  /** The slash at the end of a scope: what it grants at that very path, it grants a collection. */
  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void scopeOfACollectionTakesNoFileOfThatNameAway(String method) {
    String token = scoped("storage.read:~/foobar/ storage.modify:~/foobar/ storage.modify:~/foo");
    for (String path : List.of("foobar", "foobar/")) {
      assertThat(
              curl(method, folder + path)
                  .header("Destination", destination(folder + "foo/taken"))
                  .token(token)
                  .run()
                  .status())
          .as(path)
          .isEqualTo(path.equals("foobar") ? 403 : 404);
    }
    assertThat(get(folder + "foobar").token(storage.token()).run().text()).isEqualTo("outside");
    assertThat(get(folder + "foo/taken").token(storage.token()).run().status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void scopeOfACollectionReplacesNoFileOfThatName(String method) {
    String token = scoped("storage.read:~/foo storage.modify:~/foo storage.modify:~/foobar/");
    for (String source : List.of("foo/file", "foo/")) {
      assertThat(
              curl(method, folder + source)
                  .header("Destination", destination(folder + "foobar/"))
                  .token(token)
                  .run()
                  .status())
          .as(source)
          .isEqualTo(412);
    }
    assertThat(get(folder + "foobar").token(storage.token()).run().text()).isEqualTo("outside");
  }

  @Test
  void scopeOfACollectionLocksNoFileOfThatNameAndMakesNone() {
    String token = scoped("storage.modify:~/foobar/ storage.create:~/free/");
    for (String path : List.of("foobar", "free")) {
      assertThat(lock(folder + path, "exclusive", "0").token(token).run().status())
          .as(path)
          .isEqualTo(403);
      assertThat(lock(folder + path + "/", "exclusive", "0").token(token).run().status())
          .as(path + "/")
          .isEqualTo(409);
    }
    assertThat(put(folder + "foobar", "free").token(storage.token()).run().status()).isEqualTo(204);
    assertThat(curl("MKCOL", folder + "free/").token(token).run().status()).isEqualTo(201);
  }

  @Test
  void tokenThatMayCreateMayLookButNotRead() {
    String token = scoped("storage.create:~/foo");
    assertThat(get(folder + "foo/file").head().token(token).run().status()).isEqualTo(200);
    assertThat(get(folder + "foo/none").head().token(token).run().status()).isEqualTo(404);
    assertThat(propfind(folder + "foo/file", "0", "").token(token).run().status()).isEqualTo(207);
    assertThat(get(folder + "foo/file").token(token).run().status()).isEqualTo(403);
    assertThat(propfind(folder + "foo/", "1", "").token(token).run().status()).isEqualTo(403);
    assertThat(put(folder + "foo/new", "x").token(token).run().status()).isEqualTo(201);
    assertThat(put(folder + "foo/file", "x").token(token).run().status()).isEqualTo(403);
    assertThat(curl("MKCOL", folder + "foo/sub/").token(token).run().status()).isEqualTo(201);
  }

  @Test
  void collectionIsListedByThoseWhoMayReadIt() {
    assertThat(
            propfind(folder + "foo/", "1", "").token(scoped("storage.read:~/foo")).run().status())
        .isEqualTo(207);
    assertThat(propfind(folder, "1", "").token(scoped("storage.read:~/foo")).run().status())
        .isEqualTo(403);
    assertThat(
            propfind(folder + "foo/", "1", "").token(scoped("storage.stage:~/foo")).run().status())
        .isEqualTo(403);
    assertThat(get(folder + "foo/").token(scoped("storage.modify:~/foo")).run().status())
        .isEqualTo(403);
  }

  @Test
  void readingDoesNotWriteAndStagingDoesNotRead() {
    String read = scoped("storage.read:~");
    assertThat(put(folder + "new", "x").token(read).run().status()).isEqualTo(403);
    assertThat(curl("DELETE", folder + "foobar").token(read).run().status()).isEqualTo(403);
    assertThat(curl("MKCOL", folder + "new/").token(read).run().status()).isEqualTo(403);
    assertThat(curl("LOCK", folder + "foobar").token(read).run().status()).isEqualTo(403);
    assertThat(get(folder + "foobar").token(scoped("storage.stage:~")).run().status())
        .isEqualTo(403);
  }

  @Test
  void tokenThatMayStageMayLookAndTokenThatMayPollMayNot() {
    String stage = scoped("storage.stage:~/foo");
    assertThat(get(folder + "foo/file").head().token(stage).run().status()).isEqualTo(200);
    assertThat(propfind(folder + "foo/file", "0", "").token(stage).run().status()).isEqualTo(207);
    assertThat(get(folder + "foobar").head().token(stage).run().status()).isEqualTo(403);
    assertThat(get(folder + "foo/file").token(stage).run().status()).isEqualTo(403);
    assertThat(put(folder + "foo/file", "x").token(stage).run().status()).isEqualTo(403);
    // The profile made storage.poll to tell where a file is "without any further privileges".
    String poll = scoped("storage.poll:~/foo");
    assertThat(get(folder + "foo/file").head().token(poll).run().status()).isEqualTo(403);
    assertThat(get(folder + "foo/file").token(poll).run().status()).isEqualTo(403);
    assertThat(propfind(folder + "foo/file", "0", "").token(poll).run().status()).isEqualTo(403);
  }

  @Test
  void areaThatAnyoneMayReadIsNotWrittenByAStranger() {
    assertThat(put("/data/x", "x").run().status()).isEqualTo(401);
  }
}
