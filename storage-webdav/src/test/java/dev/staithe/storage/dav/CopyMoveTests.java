package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.destination;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.prop;
import static dev.staithe.storage.dav.Requests.propfind;
import static dev.staithe.storage.dav.Requests.proppatch;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static dev.staithe.storage.dav.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RawConnection;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** COPY and MOVE within an area (RFC 4918 sections 9.8 and 9.9), for both methods alike. */
class CopyMoveTests {
  private final String folder = freshCollection();
  private final String source = folder + "source";
  private final String target = folder + "target";

  @BeforeEach
  void putSource() {
    put(source, "content").run();
  }

  private static Curl transfer(String method, String from, String to) {
    return curl(method, from).header("Destination", destination(to));
  }

  private void makeTree(String name) {
    curl("MKCOL", folder + name + "/").run();
    curl("MKCOL", folder + name + "/sub/").run();
    put(folder + name + "/sub/file", "of " + name).run();
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void fileArrivesUnderTheNewName(String method) {
    Curl.Response response = transfer(method, source, target).run();
    assertThat(response.status()).isEqualTo(201);
    assertThat(text(target)).isEqualTo("content");
    assertThat(status(source)).isEqualTo(method.equals("MOVE") ? 404 : 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void overwriteDecidesWhetherAFileIsReplaced(String method) {
    put(target, "before").run();
    assertThat(transfer(method, source, target).header("Overwrite", "F").run().status())
        .isEqualTo(412);
    assertThat(text(target)).isEqualTo("before");
    assertThat(text(source)).isEqualTo("content");
    assertThat(transfer(method, source, target).header("Overwrite", "maybe").run().status())
        .isEqualTo(400);
    assertThat(transfer(method, source, target).header("Overwrite", "T").run().status())
        .isEqualTo(204);
    assertThat(text(target)).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void collectionArrivesWhole(String method) {
    makeTree("tree");
    assertThat(transfer(method, folder + "tree/", target + "/").run().status()).isEqualTo(201);
    assertThat(text(target + "/sub/file")).isEqualTo("of tree");
    assertThat(status(folder + "tree/sub/file")).isEqualTo(method.equals("MOVE") ? 404 : 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void collectionReplacesACollectionAndDoesNotMixWithIt(String method) {
    makeTree("tree");
    makeTree("target");
    put(target + "/old", "x").run();
    assertThat(transfer(method, folder + "tree", target).header("Overwrite", "F").run().status())
        .isEqualTo(412);
    assertThat(transfer(method, folder + "tree", target).run().status()).isEqualTo(204);
    assertThat(text(target + "/sub/file")).isEqualTo("of tree");
    assertThat(status(target + "/old")).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void fileReplacesACollectionAndACollectionAFile(String method) {
    makeTree("target");
    assertThat(transfer(method, source, target).run().status()).isEqualTo(204);
    assertThat(text(target)).isEqualTo("content");
    makeTree("tree");
    assertThat(transfer(method, folder + "tree", target).run().status()).isEqualTo(204);
    assertThat(text(target + "/sub/file")).isEqualTo("of tree");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void fileIsNeitherFoundNorMadeByANameWithASlash(String method) {
    assertThat(transfer(method, source + "/", target).run().status()).isEqualTo(404);
    assertThat(transfer(method, source, target + "/").run().status()).isEqualTo(409);
    assertThat(text(source)).isEqualTo("content");
    assertThat(status(target)).isEqualTo(404);
  }

  @Test
  void shallowCopyMakesAnEmptyCollection() {
    makeTree("tree");
    assertThat(transfer("COPY", folder + "tree/", target).header("Depth", "0").run().status())
        .isEqualTo(201);
    assertThat(status(target + "/")).isEqualTo(200);
    assertThat(status(target + "/sub/")).isEqualTo(404);
  }

  @Test
  void depthThatTheMethodDoesNotHaveIsRefused() {
    assertThat(transfer("COPY", source, target).header("Depth", "1").run().status()).isEqualTo(400);
    assertThat(transfer("MOVE", source, target).header("Depth", "0").run().status()).isEqualTo(400);
    assertThat(status(source)).isEqualTo(200);
    assertThat(status(target)).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void missingSourceAndMissingParent(String method) {
    assertThat(transfer(method, folder + "none", target).run().status()).isEqualTo(404);
    assertThat(transfer(method, source, folder + "no/such/target").run().status()).isEqualTo(409);
    assertThat(text(source)).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void nothingGoesIntoOrOverItself(String method) {
    makeTree("tree");
    assertThat(transfer(method, source, source).run().status()).isEqualTo(403);
    assertThat(transfer(method, folder + "tree", folder + "tree/sub/tree").run().status())
        .isEqualTo(403);
    assertThat(transfer(method, folder + "tree/sub", folder + "tree").run().status())
        .isEqualTo(403);
    assertThat(transfer(method, "/open/", folder + "x").run().status()).isEqualTo(403);
    assertThat(text(source)).isEqualTo("content");
    assertThat(text(folder + "tree/sub/file")).isEqualTo("of tree");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void nothingGoesToAnotherArea(String method) {
    Curl.Response response =
        transfer(method, source, "/data/" + UUID.randomUUID()).token(storage.token()).run();
    assertThat(response.status()).isEqualTo(502);
    assertThat(response.text()).hasLineCount(1);
    assertThat(text(source)).isEqualTo("content");
    assertThat(transfer(method, source, "/elsewhere").run().status()).isEqualTo(502);
  }

  @Test
  void moveToAnotherServerIsABadGateway() {
    assertThat(
            curl("MOVE", source)
                .header("Destination", "https://elsewhere.example/target")
                .run()
                .status())
        .isEqualTo(502);
    assertThat(
            curl("MOVE", source)
                .header("Destination", "https://localhost:1" + target)
                .run()
                .status())
        .isEqualTo(502);
    assertThat(text(source)).isEqualTo("content");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not a uri",
        "//elsewhere.example/open/x",
        "https://user@localhost/open/x",
        "/open/../etc/x",
        "/open/%2e%2e/x",
        "/open/a%2fb",
        "/open/.staithe/x",
        "/open/x#fragment",
        "/open/x?query",
        "relative"
      })
  void destinationThatIsNoPlainPathOfOursIsRefused(String hostile) throws IOException {
    // What is more, no part of it may come back in the head of the answer.
    RawConnection.Answer answer =
        RawConnection.ask(
            storage,
            "MOVE " + source + " HTTP/1.1",
            "Host: localhost:" + storage.port(),
            "Destination: " + hostile);
    assertThat(answer.status()).isIn(400, 502);
    assertThat(answer.text()).hasLineCount(1);
    assertThat(text(source)).isEqualTo("content");
  }

  @Test
  void destinationMayBeAPathOrAnAliasInAnyCase() {
    assertThat(curl("MOVE", source).header("Destination", target).run().status()).isEqualTo(201);
    String url = "HTTPS://LOCALHOST:" + storage.port() + source;
    assertThat(curl("MOVE", target).header("Destination", url).run().status()).isEqualTo(201);
    assertThat(text(source)).isEqualTo("content");
  }

  /** RFC 3986 section 3.2.2 lets a name have one, and services of compose files do. */
  @Test
  void nameOfThisServerMayHaveAnUnderscore() throws IOException {
    String host = "storage_webdav:" + storage.port();
    for (String other :
        List.of(
            "other_server:" + storage.port(), "storage_webdav:1", "storage_webdav", "u@" + host)) {
      assertThat(moved(host, other).status()).as(other).isEqualTo(502);
    }
    RawConnection.Answer answer = moved(host, host.toUpperCase(Locale.ROOT));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    assertThat(text(target)).isEqualTo("content");
  }

  private RawConnection.Answer moved(String host, String destination) throws IOException {
    return RawConnection.ask(
        storage,
        "MOVE " + source + " HTTP/1.1",
        "Host: " + host,
        "Destination: https://" + destination + target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void deadPropertiesAndChecksumsTravel(String method) {
    proppatch(source, "<D:set><D:prop><x:colour>blue</x:colour></D:prop></D:set>").run();
    String digest =
        put(source, "content").header("Want-Digest", "md5").run().header("Digest").orElseThrow();
    assertThat(transfer(method, source, target).run().status()).isEqualTo(201);
    assertThat(
            Multistatus.of(
                    propfind(target, "0", prop("<x:colour xmlns:x=\"http://example.org/x\"/>"))
                        .run())
                .only()
                .get("{http://example.org/x}colour")
                .text())
        .isEqualTo("blue");
    // GET computes nothing, so what it shows was kept.
    assertThat(get(target).header("Want-Digest", "md5").run().header("Digest")).contains(digest);
  }

  @Test
  void replacedFileLosesItsOwnProperties() {
    put(target, "x").run();
    proppatch(target, "<D:set><D:prop><x:old>1</x:old></D:prop></D:set>").run();
    transfer("COPY", source, target).run();
    assertThat(
            Multistatus.of(
                    propfind(target, "0", prop("<x:old xmlns:x=\"http://example.org/x\"/>")).run())
                .only()
                .get("{http://example.org/x}old")
                .status())
        .isEqualTo(404);
  }

  @Test
  void tokenThatMayOnlyCreateRenamesButReplacesNothing() {
    String own = "/data/" + UUID.randomUUID();
    String token = storage.token("storage.create:/");
    put(own, "x").token(token).run();
    put(own + "-taken", "y").token(storage.token()).run();
    assertThat(transfer("MOVE", own, own + "-taken").token(token).run().status()).isEqualTo(403);
    assertThat(transfer("MOVE", own, own + "-new").token(token).run().status()).isEqualTo(201);
    assertThat(get(own + "-taken").token(storage.token()).run().text()).isEqualTo("y");
  }

  @Test
  void whatMayNotBeReadIsMovedToNoPlaceWhereItMay() {
    String own = "/" + UUID.randomUUID();
    String area = "/data" + own;
    for (String each : List.of("", "/closed", "/closed/sub", "/mine")) {
      curl("MKCOL", area + each + "/").token(storage.token()).run();
    }
    put(area + "/closed/file", "secret").token(storage.token()).run();
    put(area + "/closed/sub/file", "secret").token(storage.token()).run();
    put(area + "/mine/file", "mine").token(storage.token()).run();
    String token = storage.token("storage.modify:~ storage.read:~/mine".replace("~", own));
    String[][] closed = {
      {"/closed/file", "/mine/taken"},
      {"/closed/file", "/mine/file"},
      {"/closed/sub", "/mine/taken"},
      // Below a new name some of it might be read.
      {"/closed", "/other"},
    };
    for (String[] each : closed) {
      Curl move = transfer("MOVE", area + each[0], area + each[1]);
      assertThat(move.token(token).run().status()).as(each[0]).isEqualTo(403);
    }
    String[][] open = {{"/closed/file", "/closed/renamed"}, {"/mine", "/closed/given"}};
    for (String[] each : open) {
      Curl move = transfer("MOVE", area + each[0], area + each[1]);
      assertThat(move.token(token).run().status()).as(each[0]).isEqualTo(201);
    }
    assertThat(get(area + "/closed/renamed").token(storage.token()).run().text())
        .isEqualTo("secret");
    assertThat(get(area + "/closed/given/file").token(storage.token()).run().text())
        .isEqualTo("mine");
  }

  @Test
  void copyNeedsToReadTheSourceAndToWriteTheTarget() {
    String own = "/data/" + UUID.randomUUID();
    put(own, "x").token(storage.token()).run();
    assertThat(
            transfer("COPY", own, own + "2")
                .token(storage.token("storage.modify:/"))
                .run()
                .status())
        .isEqualTo(403);
    assertThat(
            transfer("COPY", own, own + "2").token(storage.token("storage.read:/")).run().status())
        .isEqualTo(403);
    assertThat(
            transfer("COPY", own, own + "2")
                .token(storage.token("storage.read:/ storage.create:/"))
                .run()
                .status())
        .isEqualTo(201);
  }
}
