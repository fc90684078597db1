package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Multistatus.DAV;
import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.destination;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.lock;
import static dev.staithe.storage.dav.Requests.prop;
import static dev.staithe.storage.dav.Requests.propfind;
import static dev.staithe.storage.dav.Requests.proppatch;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LOCK and UNLOCK (RFC 4918 sections 6, 7, 9.10 and 10.4), beyond what litmus asks. */
class LockTests {
  private final String folder = freshCollection();
  private final String file = folder + "file";

  @BeforeEach
  void putFile() {
    put(file, "content").run();
  }

  /** The token, in its angle brackets. */
  private static String taken(Curl lock) {
    Curl.Response response = lock.run();
    assertThat(response.status()).as(response.text()).isIn(200, 201);
    String token = response.header("Lock-Token").orElseThrow();
    assertThat(token).matches("<urn:uuid:[0-9a-f-]{36}>");
    assertThat(response.text())
        .contains("<D:locktoken><D:href>" + token.substring(1, token.length() - 1))
        .contains("mailto:me");
    return token;
  }

  @Test
  void everyChangeOfALockedFileNeedsItsToken() {
    String token = taken(lock(file, "exclusive", "0"));
    assertThat(put(file, "x").run().status()).isEqualTo(423);
    assertThat(curl("DELETE", file).run().status()).isEqualTo(423);
    assertThat(curl("MOVE", file).header("Destination", destination(file + "2")).run().status())
        .isEqualTo(423);
    assertThat(proppatch(file, "<D:set><D:prop><x:a>1</x:a></D:prop></D:set>").run().status())
        .isEqualTo(423);
    put(folder + "other", "other").run();
    assertThat(
            curl("COPY", folder + "other").header("Destination", destination(file)).run().status())
        .isEqualTo(423);
    assertThat(text(file)).as("reading is free").isEqualTo("content");
    assertThat(put(file, "new").header("If", "(" + token + ")").run().status()).isEqualTo(204);
    assertThat(curl("UNLOCK", file).header("Lock-Token", token).run().status()).isEqualTo(204);
    assertThat(put(file, "free").run().status()).isEqualTo(204);
  }

  @Test
  void deepLockCoversWhatIsAndWhatComesBelow() {
    String token = taken(lock(folder, "exclusive", "infinity"));
    assertThat(put(file, "x").run().status()).isEqualTo(423);
    assertThat(put(folder + "new", "x").run().status()).isEqualTo(423);
    assertThat(curl("MKCOL", folder + "sub/").run().status()).isEqualTo(423);
    assertThat(curl("DELETE", folder).run().status()).isEqualTo(423);
    assertThat(put(folder + "new", "x").header("If", "(" + token + ")").run().status())
        .isEqualTo(201);
    assertThat(lock(folder + "new", "exclusive", "0").run().status()).isEqualTo(423);
    Multistatus.Property discovery =
        Multistatus.of(propfind(folder + "new", "0", prop("<D:lockdiscovery/>")).run())
            .only()
            .get(DAV + "lockdiscovery");
    assertThat(discovery.text()).contains("infinity").contains(folder);
    // RFC 4918 section 9.11.1: UNLOCK works on any resource within the lock.
    assertThat(curl("UNLOCK", file).header("Lock-Token", token).run().status()).isEqualTo(204);
    assertThat(put(file, "x").run().status()).isEqualTo(204);
  }

  @Test
  void shallowLockOfACollectionProtectsItsMembershipOnly() {
    String token = taken(lock(folder, "exclusive", "0"));
    assertThat(put(file, "changed").run().status()).isEqualTo(204);
    assertThat(put(folder + "new", "x").run().status()).isEqualTo(423);
    assertThat(curl("DELETE", file).run().status()).isEqualTo(423);
    assertThat(curl("DELETE", file).header("If", "<" + folder + "> (" + token + ")").run().status())
        .isEqualTo(204);
  }

  @Test
  void collectionThatAnUploadWouldMakeOnItsWayIsAMemberToo() throws IOException {
    Path there = storage.open().resolve(folder.substring("/open/".length()));
    String locked = folder + "locked/";
    curl("MKCOL", locked).run();
    Files.createSymbolicLink(there.resolve("link"), Path.of("locked"));
    for (String depth : List.of("0", "infinity")) {
      String token = taken(lock(locked, "exclusive", depth));
      for (String way : List.of(locked, folder + "link/")) {
        assertThat(put(way + "new/sub/file", "x").run().status()).as(way).isEqualTo(423);
        assertThat(lock(way + "new/sub/file", "exclusive", "0").run().status()).isEqualTo(423);
        assertThat(status(locked + "new/")).isEqualTo(404);
      }
      assertThat(curl("UNLOCK", locked).header("Lock-Token", token).run().status()).isEqualTo(204);
    }
    String token = taken(lock(locked, "exclusive", "0"));
    Curl first = put(locked + "new/sub/file", "x");
    assertThat(first.header("If", "<" + locked + "> (" + token + ")").run().status())
        .isEqualTo(201);
    assertThat(put(locked + "new/other/file", "x").run().status()).isEqualTo(201);
  }

  @Test
  void lockBelowStopsTheDeletionOfACollection() {
    String token = taken(lock(file, "exclusive", "0"));
    assertThat(curl("DELETE", folder).run().status()).isEqualTo(423);
    assertThat(text(file)).isEqualTo("content");
    assertThat(curl("DELETE", folder).header("If", "<" + file + "> (" + token + ")").run().status())
        .isEqualTo(204);
    curl("MKCOL", folder).run();
    assertThat(put(file, "x").run().status()).as("its locks went with it").isEqualTo(201);
  }

  @Test
  void sharedLocksLiveTogetherAndKeepExclusiveOnesOut() {
    String first = taken(lock(file, "shared", "0"));
    String second = taken(lock(file, "shared", "0"));
    assertThat(first).isNotEqualTo(second);
    assertThat(lock(file, "exclusive", "0").run().status()).isEqualTo(423);
    assertThat(lock(folder, "exclusive", "infinity").run().status()).isEqualTo(423);
    assertThat(put(file, "x").run().status()).isEqualTo(423);
    assertThat(put(file, "x").header("If", "(" + first + ")").run().status()).isEqualTo(204);
  }

  @Test
  void lockOfANewNameMakesAnEmptyFile() {
    String token = taken(lock(folder + "reserved", "exclusive", "0"));
    assertThat(text(folder + "reserved")).isEmpty();
    assertThat(put(folder + "reserved", "x").header("If", "(" + token + ")").run().status())
        .isEqualTo(204);
    assertThat(lock(file + "/below", "exclusive", "0").run().status()).isEqualTo(409);
    assertThat(curl("MKCOL", folder + "no/").run().status()).isEqualTo(201);
    assertThat(put(folder + "no/such", "x").run().status()).as("no lock is left").isEqualTo(201);
  }

  @Test
  void refreshNeedsTheToken() {
    String token = taken(lock(file, "exclusive", "0").header("Timeout", "Second-100"));
    Curl.Response fresh =
        curl("LOCK", file)
            .header("If", "(" + token + ")")
            .header("Timeout", "Infinite, Second-4100000000")
            .run();
    assertThat(fresh.status()).isEqualTo(200);
    assertThat(fresh.text()).matches("(?s).*<D:timeout>Second-8\\d{4}</D:timeout>.*");
    assertThat(curl("LOCK", file).run().status()).isEqualTo(400);
    assertThat(curl("LOCK", file).header("If", "(<urn:uuid:none>)").run().status()).isEqualTo(412);
  }

  @Test
  void tokenOfAnotherCallerOpensNothing() {
    String own = "/data/" + UUID.randomUUID();
    String alice =
        storage
            .issuer()
            .token()
            .subject("alice")
            .scope("storage.modify:/ storage.read:/")
            .audience(dev.staithe.storage.RunningStorage.AUDIENCE)
            .sign();
    put(own, "hers").token(alice).run();
    String token = taken(lock(own, "exclusive", "0").token(alice));
    String other = storage.token();
    assertThat(put(own, "x").token(other).header("If", "(" + token + ")").run().status())
        .isEqualTo(423);
    assertThat(curl("UNLOCK", own).token(other).header("Lock-Token", token).run().status())
        .isEqualTo(403);
    assertThat(curl("LOCK", own).token(other).header("If", "(" + token + ")").run().status())
        .isEqualTo(412);
    Curl.Response seen = propfind(own, "0", prop("<D:lockdiscovery/>")).token(other).run();
    assertThat(seen.text())
        .contains("<D:activelock>")
        .doesNotContain(token.substring(1, token.length() - 1));
    assertThat(get(own).token(alice).run().text()).isEqualTo("hers");
    assertThat(put(own, "mine").token(alice).header("If", "(" + token + ")").run().status())
        .isEqualTo(204);
  }

  @Test
  void unlockOfWhatIsNotLocked() {
    assertThat(curl("UNLOCK", file).run().status()).isEqualTo(400);
    assertThat(curl("UNLOCK", file).header("Lock-Token", "urn:uuid:x").run().status())
        .isEqualTo(400);
    assertThat(curl("UNLOCK", file).header("Lock-Token", "<urn:uuid:x>").run().status())
        .isEqualTo(409);
  }

  @Test
  void locksStayBehindWhenAFileIsMovedOrCopied() {
    String token = taken(lock(file, "exclusive", "0"));
    assertThat(
            curl("MOVE", file)
                .header("Destination", destination(folder + "moved"))
                .header("If", "(" + token + ")")
                .run()
                .status())
        .isEqualTo(201);
    assertThat(put(folder + "moved", "x").run().status()).isEqualTo(204);
    assertThat(put(file, "x").run().status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void locksGoWithTheMembersOfACollectionThatIsReplaced(String method) {
    String target = folder + "target/";
    for (String collection : List.of(target, folder + "source/")) {
      curl("MKCOL", collection).run();
    }
    put(target + "member", "x").run();
    String token = taken(lock(target + "member", "exclusive", "0"));
    String own = taken(lock(target, "exclusive", "0"));
    Curl replace = curl(method, folder + "source/").header("Destination", destination(target));
    String tokens = "<" + target + "member> (" + token + ") <" + target + "> (" + own + ")";
    assertThat(replace.header("If", tokens).run().status()).isEqualTo(204);
    assertThat(status(target + "member")).isEqualTo(404);
    assertThat(put(target + "member", "x").run().status()).as("the path's own").isEqualTo(423);
    assertThat(curl("UNLOCK", target).header("Lock-Token", own).run().status()).isEqualTo(204);
    assertThat(put(target + "member", "x").run().status()).isEqualTo(201);
  }

  @Test
  void conditionsOfTheIfHeaderAreJudged() {
    String etag = get(file).head().run().header("ETag").orElseThrow();
    String token = taken(lock(file, "exclusive", "0"));
    String[] holding = {
      "(" + token + ")",
      "(" + token + " [" + etag + "])",
      "([\"wrong\"]) (" + token + ")",
      "(Not <DAV:no-lock> " + token + ")",
      "<" + destination(file) + "> (" + token + ")",
      "<" + folder + "none> (<urn:x>) <" + file + "> (" + token + ")",
    };
    for (String header : holding) {
      assertThat(
              proppatch(file, "<D:set><D:prop><x:a>1</x:a></D:prop></D:set>")
                  .header("If", header)
                  .run()
                  .status())
          .as(header)
          .isEqualTo(207);
    }
    String[] failing = {
      "(" + token + " [\"wrong\"])",
      "(Not " + token + ")",
      "(<DAV:no-lock>)",
      "(<DAV:no-lock>) ([\"wrong\"])",
      "<" + folder + "none> (" + token + ")",
      "<https://elsewhere.example" + file + "> (" + token + ")",
      "<not a uri> (" + token + ")",
    };
    for (String header : failing) {
      assertThat(put(file, "x").header("If", header).run().status()).as(header).isEqualTo(412);
    }
    assertThat(put(file, "x").header("If", "([" + etag + "])").run().status())
        .as("a condition that holds but does not submit the token")
        .isEqualTo(423);
    assertThat(text(file)).isEqualTo("content");
  }

  @Test
  void ifHeaderHoldsForFilesWithoutLocksToo() {
    assertThat(put(file, "x").header("If", "(<urn:uuid:none>)").run().status()).isEqualTo(412);
    assertThat(put(file, "x").header("If", "(Not <urn:uuid:none>)").run().status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        "()",
        "<x>",
        "x",
        "(<a>",
        "([\"e\")",
        "(Not)",
        "(<a>))",
        "(Not Not <a>)",
        "(<a>) x"
      })
  void ifHeaderOutsideTheGrammarIsABadRequest(String header) {
    assertThat(put(file, "x").header("If", header).run().status()).isEqualTo(400);
    assertThat(text(file)).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<D:lockinfo xmlns:D=\"DAV:\"/>",
        "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope></D:lockinfo>",
        "<lockinfo/>",
        "no xml",
        "<!DOCTYPE x><D:lockinfo xmlns:D=\"DAV:\"/>",
        "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:other/></D:lockscope><D:locktype><D:write/>"
            + "</D:locktype></D:lockinfo>"
      })
  void bodyThatIsNoLockinfoIsABadRequest(String body) {
    assertThat(curl("LOCK", file).body(body).run().status()).isEqualTo(400);
    assertThat(put(file, "x").run().status()).isEqualTo(204);
  }

  @Test
  void depthOneIsNoDepthOfALock() {
    assertThat(lock(folder, "exclusive", "1").run().status()).isEqualTo(400);
    assertThat(lock(folder, "exclusive", "0").header("Timeout", "nonsense").run().status())
        .isEqualTo(200);
    assertThat(status(folder)).isEqualTo(200);
  }

  @Test
  void secondNameIsNoWayAroundALock() throws IOException {
    Path there = storage.open().resolve(folder.substring("/open/".length()));
    Files.createDirectory(there.resolve("sub"));
    Files.writeString(there.resolve("sub/file"), "content");
    Files.createSymbolicLink(there.resolve("to-sub"), Path.of("sub"));
    Files.createSymbolicLink(there.resolve("to-file"), there.resolve("sub/file"));
    Files.createLink(there.resolve("hard"), there.resolve("sub/file"));
    String token = taken(lock(folder + "sub/file", "exclusive", "0"));
    for (String name : List.of("to-sub/file", "to-file", "hard")) {
      assertThat(put(folder + name, "x").run().status()).as(name).isEqualTo(423);
      assertThat(
              proppatch(folder + name, "<D:set><D:prop><x:a>1</x:a></D:prop></D:set>")
                  .run()
                  .status())
          .as(name)
          .isEqualTo(423);
      assertThat(lock(folder + "to-sub/file", "exclusive", "0").run().status()).isEqualTo(423);
      Trials.held();
    }
    assertThat(text(folder + "sub/file")).isEqualTo("content");
    assertThat(put(folder + "to-file", "x").header("If", "(" + token + ")").run().status())
        .isEqualTo(204);
    assertThat(curl("UNLOCK", folder + "to-file").header("Lock-Token", token).run().status())
        .isEqualTo(204);
  }

  @Test
  void lockTakenByASecondNameCoversTheFirst() throws IOException {
    Path there = storage.open().resolve(folder.substring("/open/".length()));
    Files.createSymbolicLink(there.resolve("link"), Path.of("file"));
    taken(lock(folder + "link", "exclusive", "0"));
    assertThat(put(file, "x").run().status()).isEqualTo(423);
    // The link itself is another name, which goes without its target.
    assertThat(curl("DELETE", folder + "link").run().status()).isEqualTo(204);
    assertThat(put(file, "x").run().status()).isEqualTo(423);
  }

  @Test
  void ownerThatWritesNovelsIsRefused() {
    Curl novel =
        curl("LOCK", file)
            .header("Content-Type", "application/xml")
            .body(
                "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:shared/></D:lockscope><D:locktype>"
                    + "<D:write/></D:locktype><D:owner>"
                    + "x".repeat(2000)
                    + "</D:owner></D:lockinfo>");
    assertThat(novel.run().status()).isEqualTo(413);
  }

  private static RawConnection.Answer sent(
      RawConnection client, String method, String path, String fields, String body)
      throws IOException {
    client.send(
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + body.length()
            + "\r\n"
            + fields
            + "\r\n"
            + body);
    return client.answer();
  }

  @Test
  void callerWhoHoldsAllLocksThatOneMayHaveStopsNobodyElse() throws IOException {
    String body =
        "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype>"
            + "<D:write/></D:locktype></D:lockinfo>";
    String its =
        "Authorization: Bearer "
            + storage.token("storage.modify:/ storage.create:/ storage.read:/")
            + "\r\n";
    Map<String, String> tokens = new LinkedHashMap<>();
    try (RawConnection greedy = RawConnection.to(storage);
        RawConnection other = RawConnection.to(storage)) {
      try {
        RawConnection.Answer answer = sent(greedy, "LOCK", folder + "first", its, body);
        // Other tests may have left it some.
        for (int i = 0; answer.status() == 201 && i < LockTable.MOST_OF_ONE; i++) {
          tokens.put(folder + (i == 0 ? "first" : i), answer.header("Lock-Token").orElseThrow());
          answer = sent(greedy, "LOCK", folder + (i + 1), its, body);
        }
        assertThat(tokens).hasSizeGreaterThan(LockTable.MOST_OF_ONE - 100);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(429);
        assertThat(answer.header("Retry-After")).isPresent();
        assertThat(answer.text()).startsWith("you hold 1000 locks here already").hasLineCount(1);
        Trials.held(tokens.size());

        String others = folder + "others";
        assertThat(sent(other, "PUT", others, "", "x").status()).isEqualTo(201);
        RawConnection.Answer lock = sent(other, "LOCK", others, "", body);
        assertThat(lock.status()).as(lock.toString()).isEqualTo(200);
      } finally {
        for (Map.Entry<String, String> held : tokens.entrySet()) {
          sent(
              greedy, "UNLOCK", held.getKey(), its + "Lock-Token: " + held.getValue() + "\r\n", "");
        }
      }
    }
  }
}
