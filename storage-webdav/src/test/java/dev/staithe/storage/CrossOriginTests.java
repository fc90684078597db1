package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts of other origins, as a browser asks for them. */
class CrossOriginTests {
  private static final String APP = "https://app.example";
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() {
    storage =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder,
            Map.of("staithe.cors.origins", APP + ",http://localhost:5173"));
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static Curl preflight(RunningStorage at, String origin, String method) {
    return at.curl("/data/file")
        .method("OPTIONS")
        .header("Origin", origin)
        .header("Access-Control-Request-Method", method)
        .header("Access-Control-Request-Headers", "authorization,depth");
  }

  private static String[] list(Curl.Response response, String name) {
    return Arrays.stream(response.header(name).orElse("").split(","))
        .map(String::strip)
        .toArray(String[]::new);
  }

  @Test
  void preflightIsAnsweredWithoutACredentialAndTheRequestItselfIsNot() {
    for (String method : new String[] {"PROPFIND", "COPY", "PUT", "MKCOL"}) {
      Curl.Response preflight = preflight(storage, APP, method).run();
      assertThat(preflight.status()).isEqualTo(200);
      assertThat(preflight.header(ALLOWED)).contains(APP);
      assertThat(list(preflight, "Access-Control-Allow-Methods")).contains(method);
      assertThat(list(preflight, "Access-Control-Allow-Headers"))
          .contains("Authorization", "Depth", "Source", "Range", "Want-Digest", "*");
      assertThat(preflight.header("Access-Control-Max-Age")).contains("600");
      assertThat(preflight.header("Vary")).contains("Origin");
      Trials.held();
    }
    Curl.Response refused = storage.curl("/data/file").header("Origin", APP).run();
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header(ALLOWED)).as("a script may read why").contains(APP);
  }

  @Test
  void scriptOfAListedOriginReadsTheHeadersThatMatter() {
    storage.curl("/open/seen").method("PUT").body("12345").run();
    Curl.Response response =
        storage.curl("/open/seen").header("Origin", APP).header("Range", "bytes=1-2").run();
    assertThat(response.text()).isEqualTo("23");
    assertThat(response.header(ALLOWED)).contains(APP);
    assertThat(response.header("Vary")).contains("Origin");
    assertThat(list(response, "Access-Control-Expose-Headers"))
        .contains("ETag", "Digest", "Repr-Digest", "Content-Range", "Location", "Upload-Offset");
  }

  @Test
  void originThatOnlyLooksLikeAListedOneIsNotAllowed() {
    for (String other :
        new String[] {
          "https://appxexample",
          "https://app.example.org",
          "http://app.example",
          "https://app.example:444",
          "null"
        }) {
      Curl.Response preflight = preflight(storage, other, "PUT").run();
      assertThat(preflight.header(ALLOWED)).as(other).isEmpty();
      assertThat(preflight.header("Access-Control-Allow-Methods")).as(other).isEmpty();
      Curl.Response simple = storage.curl("/open/").header("Origin", other).run();
      assertThat(simple.header(ALLOWED)).as(other).isEmpty();
      assertThat(simple.headers()).as(other).contains(Map.entry("vary", "Origin"));
      Trials.held();
    }
  }

  @Test
  void optionsThatIsNoPreflightTellsWhatTheServerCanDo() {
    Curl.Response options = storage.curl("/data/").method("OPTIONS").header("Origin", APP).run();
    assertThat(options.header("DAV")).contains("1, 2, 3");
    assertThat(options.header(ALLOWED)).contains(APP);
  }

  @Test
  void everyOriginMayCallWhereTheSiteSaysSoButWithoutWhatTheBrowserKnows() {
    try (RunningStorage any =
        RunningStorage.beside(
            storage, folder.resolve("any"), Map.of("staithe.cors.origins", "*"))) {
      Curl.Response preflight = preflight(any, "https://anybody.example", "PUT").run();
      assertThat(preflight.header(ALLOWED)).isPresent();
      assertThat(preflight.header("Access-Control-Allow-Credentials")).isEmpty();
      Curl.Response simple = any.curl("/open/").header("Origin", "https://anybody.example").run();
      assertThat(simple.header(ALLOWED)).isPresent();
      assertThat(simple.header("Access-Control-Allow-Credentials")).isEmpty();
    }
  }

  @Test
  void nothingIsAllowedByDefault() {
    Curl.Response preflight = preflight(RunningStorage.shared(), APP, "PUT").run();
    assertThat(preflight.header(ALLOWED)).isEmpty();
    assertThat(preflight.header("Vary")).isEmpty();
  }
}
