package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Symbolic links that lead out of the area, as another user of the file system may have put there:
 * whatever the method, nothing outside is shown or changed.
 */
class LinkEscapeTests {
  private static final String SECRET = "what lies outside of every area";

  private final String folder = freshCollection();
  @TempDir Path outside;
  private Map<String, String> before = Map.of();

  @BeforeEach
  void links() throws IOException {
    Files.writeString(outside.resolve("secret.txt"), SECRET);
    Files.createDirectories(outside.resolve("inner/deeper"));
    Files.writeString(outside.resolve("inner/deep.txt"), SECRET);
    Path here = storage.open().resolve(folder.substring("/open/".length()));
    Files.createSymbolicLink(here.resolve("file"), outside.resolve("secret.txt"));
    Files.createSymbolicLink(here.resolve("folder"), outside.resolve("inner"));
    Files.createSymbolicLink(here.resolve("chain"), here.resolve("folder"));
    Files.createSymbolicLink(here.resolve("dangling"), outside.resolve("new.txt"));
    Files.createSymbolicLink(here.resolve("up"), here.relativize(outside));
    put(folder + "mine", "mine").run();
    before = contents();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file",
        "folder/",
        "folder",
        "folder/deep.txt",
        "folder/deeper/",
        "chain/deep.txt",
        "dangling",
        "up/secret.txt",
        "up/inner/deep.txt",
        "folder/new.txt",
        "folder/new/"
      })
  void linkThatLeavesTheAreaShowsAndChangesNothingOutside(String name) throws IOException {
    String path = folder + name;
    for (String method : new String[] {"GET", "HEAD", "PROPFIND", "OPTIONS"}) {
      Curl.Response response = method.equals("HEAD") ? headOf(path) : curl(method, path).run();
      assertThat(response.text()).as(method).doesNotContain(SECRET).doesNotContain("deep.txt<");
      if (!method.equals("OPTIONS")) {
        assertThat(response.status()).as(method).isIn(403, 404, 409);
      }
      Trials.held();
    }
    curl("PUT", path).body("changed").run();
    curl("PUT", path).header("Content-Range", "bytes 0-3/31").body("evil").run();
    curl("MKCOL", path).run();
    curl("PROPPATCH", path)
        .body(
            "<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><x/></D:prop></D:set>"
                + "</D:propertyupdate>")
        .run();
    copied("COPY", path, folder + "copy");
    copied("COPY", folder + "mine", path);
    copied("COPY", folder + "mine", path + (path.endsWith("/") ? "" : "/") + "inside");
    copied("MOVE", path, folder + "moved");
    put(folder + "mine", "mine").run();
    copied("MOVE", folder + "mine", path);
    curl("DELETE", path).run();

    assertThat(contents()).isEqualTo(before);
    for (String where : new String[] {"copy", "copy/deep.txt", "moved", "moved/deep.txt"}) {
      assertThat(curl("GET", folder + where).run().text()).doesNotContain(SECRET);
    }
  }

  @Test
  void listingAndDeletionOfTheFolderAroundPassLinksBy() throws IOException {
    String listed = curl("PROPFIND", folder).header("Depth", "1").run().text();
    assertThat(listed).contains("/mine<");
    assertThat(listed).doesNotContain("/file<").doesNotContain("/folder").doesNotContain("/chain");

    copied("COPY", folder, folder.substring(0, folder.length() - 1) + "-copy/");
    assertThat(curl("DELETE", folder).run().status()).isEqualTo(204);

    assertThat(contents()).isEqualTo(before);
    Path copy =
        storage.open().resolve(folder.substring("/open/".length(), folder.length() - 1) + "-copy");
    try (Stream<Path> tree = Files.walk(copy)) {
      assertThat(tree.filter(Files::isRegularFile).map(LinkEscapeTests::text))
          .containsExactly("mine");
    }
  }

  private static Curl.Response headOf(String path) {
    return storage.curl(path).head().run();
  }

  private static void copied(String method, String from, String to) {
    Curl.Response response =
        curl(method, from).header("Destination", storage.url(to)).header("Overwrite", "T").run();
    assertThat(response.text()).doesNotContain(SECRET);
  }

  /** Every file and folder outside, with its content. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(outside)) {
      tree.forEach(
          path ->
              found.put(
                  outside.relativize(path).toString(),
                  Files.isDirectory(path) ? "folder" : text(path)));
    }
    return found;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
