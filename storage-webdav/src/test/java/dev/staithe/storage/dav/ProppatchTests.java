package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Multistatus.DAV;
import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.destination;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.prop;
import static dev.staithe.storage.dav.Requests.propfind;
import static dev.staithe.storage.dav.Requests.proppatch;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROPPATCH (RFC 4918 section 9.2). */
class ProppatchTests {
  private static final String COLOUR = "{http://example.org/x}colour";

  private final String folder = freshCollection();
  private final String file = folder + "file";

  @BeforeEach
  void putFile() {
    put(file, "content").run();
  }

  private static Map<String, Multistatus.Property> patch(String path, String instructions) {
    return Multistatus.of(proppatch(path, instructions).run()).only();
  }

  private static Multistatus.Property colour(String path) {
    return Multistatus.of(
            propfind(path, "0", prop("<x:colour xmlns:x=\"http://example.org/x\"/>")).run())
        .only()
        .get(COLOUR);
  }

  private static String set(String elements) {
    return "<D:set><D:prop>" + elements + "</D:prop></D:set>";
  }

  private static String remove(String elements) {
    return "<D:remove><D:prop>" + elements + "</D:prop></D:remove>";
  }

  @Test
  void propertyIsSetChangedAndRemoved() {
    assertThat(patch(file, set("<x:colour>blue</x:colour>")).get(COLOUR).status()).isEqualTo(200);
    assertThat(colour(file).text()).isEqualTo("blue");
    patch(file, set("<x:colour>red</x:colour>"));
    assertThat(colour(file).text()).isEqualTo("red");
    assertThat(patch(file, remove("<x:colour/>")).get(COLOUR).status()).isEqualTo(200);
    assertThat(colour(file).status()).isEqualTo(404);
    assertThat(patch(file, remove("<x:colour/>")).get(COLOUR).status())
        .as("removing what is not there is no error")
        .isEqualTo(200);
  }

  @Test
  void instructionsAreFollowedInTheirOrder() {
    patch(file, remove("<x:colour/>") + set("<x:colour>a</x:colour>") + remove("<x:colour/>"));
    assertThat(colour(file).status()).isEqualTo(404);
    patch(file, remove("<x:colour/>") + set("<x:colour>b</x:colour>"));
    assertThat(colour(file).text()).isEqualTo("b");
  }

  @Test
  void protectedPropertyIsForbiddenAndNothingElseIsDone() {
    Map<String, Multistatus.Property> answer =
        patch(file, set("<x:colour>blue</x:colour><D:getetag>\"mine\"</D:getetag>"));
    assertThat(answer.get(DAV + "getetag").status()).isEqualTo(403);
    assertThat(answer.get(COLOUR).status()).isEqualTo(424);
    assertThat(colour(file).status()).isEqualTo(404);
    assertThat(proppatch(file, set("<D:getetag>x</D:getetag>")).run().text())
        .contains("<D:cannot-modify-protected-property/>");
    assertThat(patch(file, remove("<D:lockdiscovery/>")).get(DAV + "lockdiscovery").status())
        .isEqualTo(403);
  }

  @Test
  void sameNameInOtherNamespacesIsAnotherProperty() {
    patch(
        file,
        set(
            "<x:colour>one</x:colour><y:colour xmlns:y=\"urn:y\">two</y:colour>"
                + "<colour xmlns=\"\">three</colour>"));
    Map<String, Multistatus.Property> all =
        Multistatus.of(
                propfind(
                        file,
                        "0",
                        prop(
                            "<a:colour xmlns:a=\"http://example.org/x\"/>"
                                + "<b:colour xmlns:b=\"urn:y\"/><colour xmlns=\"\"/>"))
                    .run())
            .only();
    assertThat(all.get(COLOUR).text()).isEqualTo("one");
    assertThat(all.get("{urn:y}colour").text()).isEqualTo("two");
    assertThat(all.get("{}colour").text()).isEqualTo("three");
  }

  @Test
  void markupEntitiesAndLanguageOfTheValueAreKept() {
    patch(
        file,
        set(
            "<x:colour xml:lang=\"de\" x:shade='a\"&lt;'>bl<x:b>a</x:b>u &amp; &lt;gr\u00fcn&gt;"
                + " \ud83d\ude00 ]]&gt;</x:colour>"));
    Multistatus.Property kept = colour(file);
    assertThat(kept.text()).isEqualTo("blau & <gr\u00fcn> \ud83d\ude00 ]]>");
    assertThat(kept.element().getAttribute("xml:lang")).isEqualTo("de");
    assertThat(kept.element().getAttributeNS("http://example.org/x", "shade")).isEqualTo("a\"<");
    assertThat(kept.element().getElementsByTagNameNS("http://example.org/x", "b").getLength())
        .isEqualTo(1);
  }

  @Test
  void propertiesSurviveNewContentPartsAndMoves() {
    patch(file, set("<x:colour>blue</x:colour>"));
    put(file, "new content").run();
    assertThat(colour(file).text()).isEqualTo("blue");
    put(file, "NEW").header("Content-Range", "bytes 0-2/11").run();
    assertThat(colour(file).text()).isEqualTo("blue");
    curl("MOVE", file).header("Destination", destination(folder + "moved")).run();
    assertThat(colour(folder + "moved").text()).isEqualTo("blue");
  }

  @Test
  void collectionHasPropertiesToo() {
    patch(folder, set("<x:colour>blue</x:colour>"));
    assertThat(colour(folder).text()).isEqualTo("blue");
  }

  @Test
  void propertiesBeyondWhatTheFileSystemKeepsAreInsufficientStorage() {
    patch(file, set("<x:colour>blue</x:colour>"));
    Map<String, Multistatus.Property> answer =
        patch(file, set("<x:colour>red</x:colour><x:large>" + "x".repeat(60_000) + "</x:large>"));
    assertThat(answer.get("{http://example.org/x}large").status()).isIn(507);
    assertThat(answer.get(COLOUR).status()).isIn(424, 507);
    assertThat(colour(file).text()).as("nothing is done").isEqualTo("blue");
  }

  @Test
  void propertiesOfAnotherVersionThanTheClientKnowsAreNotChanged() {
    String etag = get(file).head().run().header("ETag").orElseThrow();
    String[][] failing = {
      {"If-Match", "\"old\""},
      {"If-None-Match", "*"},
      {"If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"},
    };
    for (String[] field : failing) {
      Curl.Response refused =
          proppatch(file, set("<x:colour>red</x:colour>")).header(field[0], field[1]).run();
      assertThat(refused.status()).as(field[0]).isEqualTo(412);
    }
    Curl.Response done =
        proppatch(file, set("<x:colour>blue</x:colour>")).header("If-Match", etag).run();
    assertThat(done.status()).isEqualTo(207);
    assertThat(colour(file).text()).isEqualTo("blue");
  }

  @Test
  void lineThatCannotBeDecodedEndsNoListing() throws IOException {
    patch(file, set("<x:colour>blue</x:colour>"));
    Path there = storage.open().resolve(file.substring("/open/".length()));
    String kept = "user:staithe.properties";
    String ours = new String((byte[]) Files.getAttribute(there, kept), StandardCharsets.UTF_8);
    String damaged = "DAV%3A broken %zz\n%4 x y\n" + ours;
    Files.setAttribute(there, kept, damaged.getBytes(StandardCharsets.UTF_8));
    put(folder + "other", "x").run();
    Curl.Response listing = propfind(folder, "1", "").run();
    assertThat(listing.status()).isEqualTo(207);
    assertThat(Multistatus.of(listing).responses()).containsKeys(file, folder + "other");
    assertThat(colour(file).text()).isEqualTo("blue");
  }

  /** The owner of a file may write what they like beside it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a xmlns=\"urn:x\">",
        "<a xmlns=\"urn:x\"/><b/>",
        "<?xml version=\"1.0\"?><a xmlns=\"urn:y\"/>",
        "<!DOCTYPE a><a xmlns=\"urn:x\"/>",
        "</D:prop></D:propstat></D:response><D:response><D:href>/open/forged</D:href><D:propstat>",
        "text",
        ""
      })
  void whatIsNoElementOfThatNameStaysOutOfListings(String element) throws IOException {
    patch(file, set("<x:colour>blue</x:colour>"));
    Path there = storage.open().resolve(file.substring("/open/".length()));
    String kept = "user:staithe.properties";
    String ours = new String((byte[]) Files.getAttribute(there, kept), StandardCharsets.UTF_8);
    String foreign =
        "urn%3Ax a " + URLEncoder.encode(element, StandardCharsets.UTF_8) + "\nurn%3Ax b%3E x\n";
    Files.setAttribute(there, kept, (foreign + ours).getBytes(StandardCharsets.UTF_8));
    put(folder + "other", "x").run();
    String names = "<D:propfind xmlns:D=\"DAV:\"><D:propname/></D:propfind>";
    for (String body : List.of("", names, prop("<a xmlns=\"urn:x\"/>"))) {
      Multistatus listing = Multistatus.of(propfind(folder, "1", body).run());
      assertThat(listing.responses()).containsOnlyKeys(folder, file, folder + "other");
    }
    assertThat(colour(file).text()).isEqualTo("blue");
    patch(file, set("<x:colour>red</x:colour>"));
    assertThat(new String((byte[]) Files.getAttribute(there, kept), StandardCharsets.UTF_8))
        .as("it is not ours to remove")
        .startsWith(foreign);
  }

  @Test
  void settingPropertiesChangesNeitherContentNorChecksum() {
    Curl.Response before = get(file).head().run();
    patch(file, set("<x:colour>blue</x:colour>"));
    Curl.Response after = get(file).head().run();
    assertThat(after.header("ETag")).isEqualTo(before.header("ETag"));
    assertThat(after.header("Digest")).isEqualTo(before.header("Digest")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<D:set/>", "<D:set><D:prop/></D:set>", "<D:set><D:prop>"})
  void bodyThatChangesNothingIsABadRequest(String instructions) {
    assertThat(proppatch(file, instructions).run().status()).isEqualTo(400);
  }

  @Test
  void moreThanAHundredPropertiesAreRefusedAndNoneOfThemIsKept() {
    StringBuilder many = new StringBuilder();
    for (int i = 1; i < 100; i++) {
      many.append("<x:n").append(i).append("/>");
    }
    Curl.Response refused =
        proppatch(file, set("<x:colour>red</x:colour>" + many) + remove("<x:more/>")).run();
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).isEqualTo("propertyupdate changes more than 100 properties\n");
    assertThat(colour(file).status()).isEqualTo(404);
    assertThat(proppatch(file, set("<x:colour/>") + remove(many.toString())).run().status())
        .isEqualTo(207);
  }

  @Test
  void documentTypeIsRefused() {
    Curl.Response response =
        curl("PROPPATCH", file)
            .body("<!DOCTYPE x [<!ENTITY e \"v\">]>" + "<x xmlns=\"DAV:\">&e;</x>")
            .run();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).hasLineCount(1);
  }

  @Test
  void missingFileHasNoProperties() {
    assertThat(proppatch(folder + "none", set("<x:a>1</x:a>")).run().status()).isEqualTo(404);
    assertThat(proppatch(file + "/", set("<x:a>1</x:a>")).run().status()).isEqualTo(404);
  }

  @Test
  void propertiesAreChangedOnlyByThoseWhoMayModify() {
    String own = "/data/" + java.util.UUID.randomUUID();
    put(own, "x").token(storage.token()).run();
    assertThat(
            proppatch(own, set("<x:a>1</x:a>"))
                .token(storage.token("storage.read:/ storage.create:/"))
                .run()
                .status())
        .isEqualTo(403);
  }
}
