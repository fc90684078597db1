package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Multistatus.DAV;
import static dev.staithe.storage.dav.Requests.adler32;
import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.prop;
import static dev.staithe.storage.dav.Requests.propfind;
import static dev.staithe.storage.dav.Requests.proppatch;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROPFIND (RFC 4918 section 9.1). */
class PropfindTests {
  private static final String STORM = "{http://storm.italiangrid.org/2014/webdav}Checksum";
  private static final String DCACHE = "{http://www.dcache.org/2013/webdav}Checksums";

  private final String folder = freshCollection();
  private final String file = folder + "file";

  private static Multistatus ask(String path, String depth, String body) {
    return Multistatus.of(propfind(path, depth, body).run());
  }

  @Test
  void emptyBodyAsksForEverythingUsual() {
    Curl.Response made = put(file, "content").run();
    Map<String, Multistatus.Property> all = ask(file, "0", "").only();
    assertThat(all.get(DAV + "getcontentlength").text()).isEqualTo("7");
    assertThat(all.get(DAV + "getetag").text()).isEqualTo(made.header("ETag").orElseThrow());
    assertThat(all.get(DAV + "getlastmodified").text()).endsWith(" GMT");
    assertThat(all.get(DAV + "creationdate").text())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(all.get(DAV + "resourcetype").element().hasChildNodes()).isFalse();
    assertThat(all).doesNotContainKeys(STORM, DAV + "quota-used-bytes");
    assertThat(all.values()).allMatch(p -> p.status() == 200);
  }

  @Test
  void nameThatIsAskedForAThousandTimesIsAnsweredOnce() {
    put(file, "content").run();
    String once = propfind(folder, "1", prop("<x xmlns=\"urn:x\"/>")).run().text();
    String often = propfind(folder, "1", prop("<x xmlns=\"urn:x\"/>".repeat(1000))).run().text();
    assertThat(often).isEqualTo(once);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prop", "include"})
  void moreThanAHundredNamesOrEightThousandCharactersOfThemAreRefused(String element) {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      many.append("<n").append(i).append(" xmlns=\"urn:x\"/>");
    }
    String beyond = many + "<one-more xmlns=\"urn:x\"/>";
    String lengthy = many.toString().replace("urn:x", "urn:" + "x".repeat(80));
    String form = "<D:propfind xmlns:D=\"DAV:\">%s<D:E>%s</D:E></D:propfind>".replace("E", element);
    String all = element.equals("include") ? "<D:allprop/>" : "";
    assertThat(propfind(folder, "0", form.formatted(all, many)).run().status()).isEqualTo(207);
    for (String names : List.of(beyond, lengthy)) {
      Curl.Response refused = propfind(folder, "0", form.formatted(all, names)).run();
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text())
          .isEqualTo(
              "propfind names more than 100 properties, or names of more than 8192 characters in"
                  + " all\n");
    }
  }

  @Test
  void allpropWithIncludeGivesWhatIsIncludedToo() {
    put(file, "content").run();
    String body =
        "<D:propfind xmlns:D=\"DAV:\"><D:allprop/><D:include><D:quota-used-bytes/>"
            + "<s:Checksum xmlns:s=\"http://storm.italiangrid.org/2014/webdav\"/>"
            + "</D:include></D:propfind>";
    Map<String, Multistatus.Property> all = ask(file, "0", body).only();
    assertThat(all).containsKeys(STORM, DAV + "getetag");
    assertThat(ask(folder, "0", body).only()).containsKeys(DAV + "quota-used-bytes");
  }

  /** davix takes it for the size of the file. */
  @Test
  void fileHasNoQuota() {
    put(file, "content").run();
    String body =
        "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:quota-used-bytes/>"
            + "<D:quota-available-bytes/></D:prop></D:propfind>";
    assertThat(ask(file, "0", body).only().values()).allMatch(p -> p.status() == 404);
    assertThat(ask(folder, "0", body).only().values()).allMatch(p -> p.status() == 200);
  }

  @Test
  void propnameGivesTheNamesOfWhatIsThere() {
    put(file, "x").run();
    proppatch(file, "<D:set><D:prop><x:colour>blue</x:colour></D:prop></D:set>").run();
    String body = "<D:propfind xmlns:D=\"DAV:\"><D:propname/></D:propfind>";
    Map<String, Multistatus.Property> names = ask(file, "0", body).only();
    assertThat(names).containsKeys(DAV + "getcontentlength", "{http://example.org/x}colour", STORM);
    assertThat(names.values()).allMatch(p -> p.text().isEmpty());
    assertThat(ask(folder, "0", body).only())
        .containsKey(DAV + "resourcetype")
        .doesNotContainKeys(DAV + "getcontentlength", STORM);
  }

  @Test
  void propertyThatIsMissingIsReportedAsNotFound() {
    put(file, "x").run();
    Map<String, Multistatus.Property> some =
        ask(
                file,
                "0",
                prop("<D:getetag/><a:none xmlns:a=\"urn:a\"/><bare xmlns=\"\"/><D:nonsense/>"))
            .only();
    assertThat(some.get(DAV + "getetag").status()).isEqualTo(200);
    assertThat(some.get("{urn:a}none").status()).isEqualTo(404);
    assertThat(some.get("{}bare").status()).isEqualTo(404);
    assertThat(some.get(DAV + "nonsense").status()).isEqualTo(404);
    assertThat(some).hasSize(4);
    assertThat(ask(folder, "0", prop("<D:getcontentlength/>")).only())
        .hasEntrySatisfying(DAV + "getcontentlength", p -> assertThat(p.status()).isEqualTo(404));
  }

  @Test
  void checksumsComeByTheNamesThatStormAndDcacheGaveThem() {
    put(file, "content").run();
    Map<String, Multistatus.Property> sums =
        ask(
                file,
                "0",
                prop(
                    "<s:Checksum xmlns:s=\"http://storm.italiangrid.org/2014/webdav\"/>"
                        + "<d:Checksums xmlns:d=\"http://www.dcache.org/2013/webdav\"/>"))
            .only();
    String adler = adler32("content".getBytes(StandardCharsets.UTF_8));
    assertThat(sums.get(STORM).text()).isEqualTo(adler);
    assertThat(sums.get(DCACHE).text()).isEqualTo("adler32=" + adler);
  }

  @Test
  void checksumsComeByTheNameThatOwncloudGaveThem() {
    put(file, "content").run();
    String property = "<o:checksums xmlns:o=\"http://owncloud.org/ns\"/>";

    assertThat(ask(file, "0", prop(property)).only())
        .hasEntrySatisfying(
            "{http://owncloud.org/ns}checksums",
            p ->
                assertThat(p.text())
                    .isEqualTo("ADLER32:" + adler32("content".getBytes(StandardCharsets.UTF_8))));
    assertThat(ask(folder, "0", prop(property)).only().values()).allMatch(p -> p.status() == 404);
  }

  @Test
  void displayNameIsTheNameUntilSomebodySetsAnother() {
    String odd = folder + "a%20%26%20%3Cb%3E";
    put(odd, "content").run();

    assertThat(displayName(odd, prop("<D:displayname/>"))).isEqualTo("a & <b>");
    assertThat(displayName(odd, "")).isEqualTo("a & <b>");
    assertThat(displayName("/open/", prop("<D:displayname/>"))).isEqualTo("open");
    assertThat(ask(odd, "0", "<D:propfind xmlns:D=\"DAV:\"><D:propname/></D:propfind>").only())
        .containsKey(DAV + "displayname");

    proppatch(odd, "<D:set><D:prop><D:displayname>Ada's</D:displayname></D:prop></D:set>").run();
    assertThat(displayName(odd, prop("<D:displayname/>"))).isEqualTo("Ada's");
    assertThat(displayName(odd, "")).isEqualTo("Ada's");
  }

  private String displayName(String path, String body) {
    Multistatus.Property name = ask(path, "0", body).only().get(DAV + "displayname");
    assertThat(name.status()).isEqualTo(200);
    return name.text();
  }

  @Test
  void quotaSaysWhatAnUploadCouldUse() {
    Map<String, Multistatus.Property> quota =
        ask(folder, "0", prop("<D:quota-available-bytes/><D:quota-used-bytes/>")).only();
    assertThat(Long.parseLong(quota.get(DAV + "quota-available-bytes").text())).isPositive();
    assertThat(Long.parseLong(quota.get(DAV + "quota-used-bytes").text())).isPositive();
  }

  @Test
  void depthOneListsMembersAndNotTheirMembers() {
    put(file, "x").run();
    curl("MKCOL", folder + "sub/").run();
    put(folder + "sub/deep", "x").run();
    assertThat(ask(folder, "1", "").responses()).containsOnlyKeys(folder, file, folder + "sub/");
    assertThat(ask(file, "1", "").responses()).containsOnlyKeys(file);
    assertThat(ask(folder.substring(0, folder.length() - 1), "0", "").responses())
        .containsOnlyKeys(folder);
  }

  @Test
  void infiniteDepthIsRefusedWithItsPrecondition() {
    Curl.Response response = propfind(folder, "infinity", "").run();
    assertThat(response.status()).isEqualTo(403);
    assertThat(response.text()).contains("<D:propfind-finite-depth/>");
    assertThat(curl("PROPFIND", folder).run().status()).as("the default depth").isEqualTo(403);
  }

  @Test
  void infiniteDepthIsAnsweredWhereTheAreaSaysSo(@TempDir Path other) throws Exception {
    try (RunningStorage deep =
        RunningStorage.beside(storage, other, Map.of("staithe.areas[1].infinite-depth", true))) {
      Files.createDirectories(deep.open().resolve("a/b"));
      Files.createFile(deep.open().resolve("a/b/c"));
      assertThat(
              Multistatus.of(
                      deep.curl("/open/").method("PROPFIND").header("Depth", "infinity").run())
                  .responses())
          .containsOnlyKeys("/open/", "/open/a/", "/open/a/b/", "/open/a/b/c");
    }
  }

  @Test
  void linksThatGoInCirclesDoNotMakeATreeWithoutEnd(@TempDir Path other) throws Exception {
    try (RunningStorage deep =
        RunningStorage.beside(storage, other, Map.of("staithe.areas[1].infinite-depth", true))) {
      Files.createDirectories(deep.open().resolve("a"));
      Files.createSymbolicLink(deep.open().resolve("a/one"), deep.open());
      Files.createSymbolicLink(deep.open().resolve("a/two"), deep.open());
      Curl.Response response =
          deep.curl("/open/")
              .method("PROPFIND")
              .header("Depth", "infinity")
              .option("max-time", "20")
              .run();
      assertThat(Multistatus.of(response).responses()).hasSizeLessThan(10);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<D:propfind xmlns:D=\"DAV:\"><D:prop>",
        "not xml",
        "<propfind/>",
        "<D:propfind xmlns:D=\"DAV:\"/>",
        "<D:propertyupdate xmlns:D=\"DAV:\"><D:prop/></D:propertyupdate>",
        "<D:propfind xmlns:D=\"DAV:\"><D:prop><bar:foo xmlns:bar=\"\"/></D:prop></D:propfind>",
        "<D:propfind xmlns:D=\"DAV:\"><D:prop><x:undeclared/></D:prop></D:propfind>"
      })
  void bodyThatIsNoPropfindIsABadRequest(String body) {
    Curl.Response response = propfind(folder, "0", body).run();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>",
        "<!DOCTYPE a SYSTEM \"http://localhost/evil.dtd\">",
        "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>"
      })
  void bodyWithDocumentTypeIsRefused(String doctype) {
    Curl.Response response =
        propfind(folder, "0", "<?xml version=\"1.0\"?>" + doctype + prop("<D:getetag/>")).run();
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).hasLineCount(1).doesNotContain("root:", "/etc");
  }

  @Test
  void bodyBeyondTheLimitIsTooLarge() {
    assertThat(propfind(folder, "0", prop("<!--" + "x".repeat(70_000) + "-->")).run().status())
        .isEqualTo(413);
    assertThat(
            propfind(folder, "0", prop("<!--" + "x".repeat(70_000) + "-->"))
                .header("Transfer-Encoding", "chunked")
                .run()
                .status())
        .isEqualTo(413);
  }

  @Test
  void depthThatIsNoneIsABadRequest() {
    assertThat(propfind(folder, "2", "").run().status()).isEqualTo(400);
    assertThat(propfind(folder, "-1", "").run().status()).isEqualTo(400);
  }

  @Test
  void strangeNamesComeEscapedAndLeadBack() {
    List<String> names =
        List.of(
            "a b",
            "a&b<c>\"d'",
            "100%",
            "#?;",
            "\u00e4\u20ac\ud83d\ude00",
            "a+b",
            "\u00e9",
            "e\u0301",
            "~$@!(),*",
            "-rf",
            "ends.",
            "\\back",
            "|pipe");
    for (String name : names) {
      String href = folder + encoded(name);
      assertThat(put(href, name).run().status()).as(name).isEqualTo(201);
    }
    Multistatus all = ask(folder, "1", "");
    assertThat(all.responses()).hasSize(names.size() + 1);
    for (String href : all.responses().keySet()) {
      assertThat(href).matches("[A-Za-z0-9._~!$()*+,;=:@%/-]+");
      if (!href.equals(folder)) {
        String name = URI.create(href).getPath().substring(folder.length());
        assertThat(names).contains(name);
        assertThat(Requests.text(href)).isEqualTo(name);
      }
    }
  }

  private static String encoded(String name) {
    StringBuilder out = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      out.append(String.format("%%%02X", b));
    }
    return out.toString();
  }

  @Test
  void nameOnDiskThatXmlDoesNotHaveIsNotListed() throws Exception {
    Path onDisk = storage.open().resolve(folder.substring("/open/".length()));
    Files.createFile(onDisk.resolve("bell\u0007"));
    Files.createFile(onDisk.resolve("good"));
    assertThat(ask(folder, "1", "").responses()).containsOnlyKeys(folder, folder + "good");
  }

  @Test
  void collectionsAboveTheAreasCanBeWalkedDown() {
    assertThat(ask("/", "0", "").responses()).containsOnlyKeys("/");
    Multistatus root = ask("/", "1", prop("<D:resourcetype/>"));
    assertThat(root.responses()).containsOnlyKeys("/", "/data/", "/open/");
    assertThat(root.responses().get("/open/").get(DAV + "resourcetype").element().getFirstChild())
        .isNotNull();
    assertThat(propfind("/elsewhere/", "0", "").run().status()).isEqualTo(404);
    assertThat(propfind("/", "2", "").run().status()).isEqualTo(400);
  }

  /** What is in the areas is not told there, and an answer without it would say that it is not. */
  @Test
  void infiniteDepthIsRefusedAboveTheAreasToo() {
    Curl.Response response = propfind("/", "infinity", "").run();
    assertThat(response.status()).isEqualTo(403);
    assertThat(response.text()).contains("<D:propfind-finite-depth/>");
    assertThat(curl("PROPFIND", "/").run().status()).as("the default depth").isEqualTo(403);
  }

  @Test
  void collectionsAboveTheAreasGiveWhatIsAskedFor() {
    var asked = ask("/", "0", prop("<D:resourcetype/><D:getetag/><x:a xmlns:x=\"http://x/y\"/>"));
    assertThat(asked.only())
        .containsOnlyKeys(DAV + "resourcetype", DAV + "getetag", "{http://x/y}a");
    assertThat(asked.only().get(DAV + "resourcetype").status()).isEqualTo(200);
    assertThat(asked.only().get(DAV + "getetag").status()).isEqualTo(404);
    assertThat(asked.only().get("{http://x/y}a").status()).isEqualTo(404);
    var names = ask("/", "1", "<D:propfind xmlns:D=\"DAV:\"><D:propname/></D:propfind>");
    assertThat(names.responses().get("/open/").get(DAV + "resourcetype").element().getFirstChild())
        .isNull();
    var all = ask("/", "0", "<D:propfind xmlns:D=\"DAV:\"><D:allprop/></D:propfind>");
    assertThat(all.only()).containsOnlyKeys(DAV + "resourcetype");
  }

  @Test
  void bodyThatIsMalformedIsRefusedAboveTheAreasToo() {
    for (String body :
        new String[] {
          "<D:propfind xmlns:D=\"DAV:\">",
          "no xml",
          "<D:propfind xmlns:D=\"DAV:\"/>",
          "<!DOCTYPE a [<!ENTITY b \"c\">]><D:propfind xmlns:D=\"DAV:\"><D:allprop/></D:propfind>"
        }) {
      assertThat(propfind("/", "0", body).run().status()).as(body).isEqualTo(400);
    }
    assertThat(propfind("/", "0", " ".repeat(70_000)).run().status()).isEqualTo(413);
  }

  @Test
  void missingResourceIsNotFound() {
    assertThat(propfind(folder + "none", "0", "").run().status()).isEqualTo(404);
    put(file, "x").run();
    assertThat(propfind(file + "/", "0", "").run().status()).isEqualTo(404);
  }
}
