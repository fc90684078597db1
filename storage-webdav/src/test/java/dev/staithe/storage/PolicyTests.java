package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy from its file to the wire, and what the operator reads of it. */
class PolicyTests {
  @TempDir private Path folder;

  private RunningStorage start(String rules) throws IOException {
    write(rules);
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.areas[0].policy", folder.resolve("policy.yml"));
    settings.put("staithe.tls.check-interval", "1s");
    return RunningStorage.beside(RunningStorage.shared(), folder.resolve("element"), settings);
  }

  private void write(String rules) throws IOException {
    Files.writeString(folder.resolve("policy.yml"), "rules:\n" + rules);
  }

  private static int status(Curl curl) {
    return curl.run().status();
  }

  private static String health(RunningStorage storage) {
    return storage.curl("/.staithe/health").run().text();
  }

  @Test
  void partOfAnAreaIsOpenAndAnotherIsClosedAndAWrongFileChangesNeither() throws IOException {
    try (RunningStorage storage =
        start(
            """
            - {permit: read, path: /public, anyone: true}
            - {deny: all, path: /keep/private, anyone: true}
            """)) {
      for (String name : new String[] {"public/f", "keep/private/f", "keep/f"}) {
        Files.createDirectories(storage.data().resolve(name).getParent());
        Files.writeString(storage.data().resolve(name), name);
      }
      String token = storage.token();

      assertThat(storage.curl("/data/public/f").run().text()).isEqualTo("public/f");
      assertThat(status(storage.curl("/data/keep/f"))).isEqualTo(401);
      assertThat(status(storage.curl("/data/keep/f").token(token))).isEqualTo(200);
      assertThat(storage.curl("/data/keep/private/f").token(token).run().text())
          .isEqualTo("rule 2 of the area's policy denies this\n");
      assertThat(status(storage.curl("/data/keep/").token(token).method("DELETE"))).isEqualTo(403);
      assertThat(storage.data().resolve("keep/private/f")).hasContent("keep/private/f");

      write("- {permit: read, path: /keep, anyone: true}\n- {permit: raed, path: /, anyone: true}");
      Eventually.holds("health tells the line", () -> health(storage).contains("line 3: rule 2"));
      assertThat(health(storage)).doesNotContain(folder.toString());
      assertThat(storage.curl("/.staithe/metrics").run().text())
          .contains("staithe_policy_refused{area=\"data\"} 1");
      assertThat(status(storage.curl("/data/keep/f"))).isEqualTo(401);
      assertThat(status(storage.curl("/data/public/f"))).isEqualTo(200);

      write("- {permit: read, path: /keep, anyone: true}");
      Eventually.holds("the new one counts", () -> status(storage.curl("/data/keep/f")) == 200);
      assertThat(status(storage.curl("/data/public/f"))).isEqualTo(401);
    }
  }

  /** There may be a million of them, and a look at all takes seconds. */
  @Test
  void rulesBelowASourceAreAskedOnlyForWhoeverMayWriteToTheDestination() throws IOException {
    try (RunningStorage storage =
        start(
            """
            - {permit: read, path: /public, except: /public/closed, anyone: true}
            """)) {
      Curl copy = storage.curl("/data/public/").method("COPY");
      Curl.Response refused = copy.header("Destination", storage.url("/data/taken/")).run();
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.text()).contains("storage.create").doesNotContain("below");
      Curl off = storage.curl("/data/public/").method("COPY");
      assertThat(status(off.header("Destination", storage.url("/elsewhere/")))).isEqualTo(502);
    }
  }

  /** Whoever may list a folder sees the names in it (ADR 34). */
  @Test
  void listingTellsOfWhatIsDeniedItsNameAndNothingElse() throws IOException {
    try (RunningStorage storage =
        start(
            """
            - {permit: read, path: /public, except: /public/closed, anyone: true}
            """)) {
      String token = storage.token();
      assertThat(status(storage.curl("/data/public/").token(token).method("MKCOL"))).isEqualTo(201);
      assertThat(status(storage.curl("/data/public/open").token(token).method("PUT").body("1234")))
          .isEqualTo(201);
      Curl put = storage.curl("/data/public/closed").token(token).method("PUT").body("1234567");
      String digest = put.run().header("Digest").orElseThrow();
      String checksum = digest.substring(digest.indexOf('=') + 1);
      assertThat(status(storage.curl("/data/public/closed").head())).isEqualTo(401);

      String listing = propfind(storage.curl("/data/public/"));
      assertThat(listing)
          .contains("<D:getcontentlength>4</D:getcontentlength>")
          .contains(
              "<D:href>/data/public/closed</D:href>"
                  + "<D:status>HTTP/1.1 403 Forbidden</D:status></D:response>")
          .doesNotContain("<D:getcontentlength>7</D:getcontentlength>", checksum);
      Curl page = storage.curl("/data/public/").header("Accept", "text/html");
      assertThat(page.run().text())
          .contains("/data/public/closed")
          .doesNotContain(checksum, ">7 B<");

      assertThat(propfind(storage.curl("/data/public/").token(token)))
          .contains("<D:getcontentlength>7</D:getcontentlength>", checksum);
      Curl whole = storage.curl("/data/public/").header("Accept", "text/html").token(token);
      assertThat(whole.run().text()).contains(checksum, ">7 B<");
    }
  }

  /** Who mirrors a tree removes elsewhere what its listing leaves out. */
  @Test
  void listingOfATreeTellsOfEachFolderWhoseMembersItDoesNotTell() throws IOException {
    write("- {deny: list, path: /tree/closed, anyone: true}");
    try (RunningStorage storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("element"),
            Map.of(
                "staithe.areas[0].policy",
                folder.resolve("policy.yml"),
                "staithe.areas[0].infinite-depth",
                true))) {
      Files.createDirectories(storage.data().resolve("tree/closed/below"));
      Files.createDirectories(storage.data().resolve("tree/open/below"));
      String listing =
          storage
              .curl("/data/tree/")
              .token(storage.token())
              .method("PROPFIND")
              .header("Depth", "infinity")
              .run()
              .text();
      assertThat(listing)
          .contains(
              "<D:href>/data/tree/closed/</D:href>"
                  + "<D:status>HTTP/1.1 403 Forbidden</D:status></D:response>")
          .contains("<D:href>/data/tree/open/below/</D:href><D:propstat>")
          .containsOnlyOnce("/data/tree/closed/")
          .doesNotContain("closed/below");
    }
  }

  private static String propfind(Curl folder) {
    return folder
        .method("PROPFIND")
        .header("Depth", "1")
        .body(
            "<D:propfind xmlns:D=\"DAV:\" xmlns:S=\"http://storm.italiangrid.org/2014/webdav\">"
                + "<D:prop><D:getcontentlength/><S:Checksum/></D:prop></D:propfind>")
        .run()
        .text();
  }

  @Test
  void decisionIsExplainedToOperatorsWithoutTheToken() throws IOException {
    try (RunningStorage storage =
        start(
            """
            - {deny: modify, path: /once, anyone: true}
            """)) {
      String token = storage.token("storage.read:/ storage.modify:/once");

      String put =
          storage.curl("/.staithe/explain?method=PUT&path=/data/once/f").token(token).run().text();
      assertThat(put)
          .contains("caller: tester@" + storage.issuer().issuer())
          .contains("scopes: storage.read:/ storage.modify:/once")
          .contains("area: data, path /once/f")
          .contains("MODIFY: refused")
          .contains("rule 1 (line 2) denies")
          .contains("CREATE: allowed")
          .doesNotContain(token);
      assertThat(storage.curl("/.staithe/explain?method=GET&path=/data/x").run().text())
          .contains("caller: anonymous")
          .contains("needs a token with storage.read for /x");
      assertThat(
              storage
                  .curl("/.staithe/explain?method=GET&path=/data/x")
                  .token(token + "x")
                  .run()
                  .text())
          .contains("the credential is refused: the token's signature is wrong")
          .doesNotContain(token);
      assertThat(status(storage.curl("/.staithe/explain?method=NO&path=/data/x"))).isEqualTo(400);
      assertThat(status(storage.curl("/.staithe/explain?method=GET&path=/../x"))).isEqualTo(400);
      assertThat(status(storage.curl("/.staithe/explain?method=GET&path=/nowhere"))).isEqualTo(404);
    }
  }

  @Test
  void nobodyFromOutsideIsToldWhoMayWhat() throws IOException {
    write("- {permit: read, path: /, anyone: true}");
    try (RunningStorage storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("element"),
            Map.of(
                "staithe.areas[0].policy",
                folder.resolve("policy.yml"),
                "staithe.metrics.allow-from",
                "192.0.2.1"))) {
      assertThat(status(storage.curl("/.staithe/explain?method=GET&path=/data/x"))).isEqualTo(403);
    }
  }
}
