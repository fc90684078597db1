package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DELETE (RFC 4918 section 9.6). */
class DeleteTests {
  private final String folder = freshCollection();

  @Test
  void fileIsDeletedOnce() {
    put(folder + "file", "x").run();
    assertThat(curl("DELETE", folder + "file").run().status()).isEqualTo(204);
    Curl.Response again = curl("DELETE", folder + "file").run();
    assertThat(again.status()).isEqualTo(404);
    assertThat(again.text()).hasLineCount(1);
  }

  @Test
  void collectionIsDeletedWithEverythingInIt() {
    curl("MKCOL", folder + "a/").run();
    curl("MKCOL", folder + "a/b/").run();
    put(folder + "a/b/file", "x").run();
    assertThat(curl("DELETE", folder).header("Depth", "infinity").run().status()).isEqualTo(204);
    assertThat(status(folder + "a/b/file")).isEqualTo(404);
    assertThat(status(folder)).isEqualTo(404);
  }

  @Test
  void collectionIsNotDeletedByHalves() {
    assertThat(curl("DELETE", folder).header("Depth", "0").run().status()).isEqualTo(400);
    assertThat(curl("DELETE", folder).header("Depth", "1").run().status()).isEqualTo(400);
    assertThat(status(folder)).isEqualTo(200);
  }

  @Test
  void fileIsNotDeletedByItsNameWithSlash() {
    put(folder + "file", "x").run();
    assertThat(curl("DELETE", folder + "file/").run().status()).isEqualTo(404);
    assertThat(status(folder + "file")).isEqualTo(200);
  }

  @Test
  void areaItselfIsNotDeleted(@TempDir Path files) {
    // Below the areas of the shared one other tests may hold locks.
    try (RunningStorage storage = RunningStorage.start(files, Map.of())) {
      assertThat(storage.curl("/open/").method("DELETE").run().status()).isEqualTo(403);
      assertThat(storage.curl("/open/").run().status()).isEqualTo(200);
      assertThat(storage.curl("/").method("DELETE").run().status()).isEqualTo(403);
    }
  }

  @Test
  void conditionsDecide() {
    put(folder + "file", "x").run();
    assertThat(curl("DELETE", folder + "file").header("If-Match", "\"y\"").run().status())
        .isEqualTo(412);
    String etag = get(folder + "file").head().run().header("ETag").orElseThrow();
    assertThat(curl("DELETE", folder + "file").header("If-Match", etag).run().status())
        .isEqualTo(204);
  }

  @Test
  void safeDeleteKeepsCollectionsWithMembers(@TempDir Path other) throws IOException {
    try (RunningStorage safe =
        RunningStorage.beside(storage, other, Map.of("staithe.areas[1].safe-delete", true))) {
      safe.curl("/open/a/").method("MKCOL").run();
      safe.curl("/open/a/file").method("PUT").body("x").run();
      assertThat(safe.curl("/open/a/").method("DELETE").run().status()).isEqualTo(412);
      assertThat(safe.curl("/open/a/file").run().text()).isEqualTo("x");
      assertThat(safe.curl("/open/a/file").method("DELETE").run().status()).isEqualTo(204);
      // No listing shows what leads nowhere, or has a name that is no UTF-8.
      Path hidden = safe.open().resolve("a/hidden");
      Files.createSymbolicLink(hidden, Path.of("nowhere"));
      assertThat(safe.curl("/open/a/").method("DELETE").run().status()).isEqualTo(412);
      Files.delete(hidden);
      assertThat(safe.curl("/open/a/").method("DELETE").run().status()).isEqualTo(204);
    }
  }

  /** To replace it is to delete what is in it (RFC 4918 sections 9.8.4 and 9.9.3). */
  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void safeDeleteKeepsCollectionsWithMembersFromBeingReplaced(String method, @TempDir Path other) {
    try (RunningStorage safe =
        RunningStorage.beside(storage, other, Map.of("staithe.areas[1].safe-delete", true))) {
      safe.curl("/open/a/").method("MKCOL").run();
      safe.curl("/open/b/").method("MKCOL").run();
      safe.curl("/open/b/file").method("PUT").body("x").run();
      Curl.Response refused = replace(safe, method);
      assertThat(refused.status()).isEqualTo(412);
      assertThat(refused.text()).contains("not empty").hasLineCount(1);
      assertThat(safe.curl("/open/b/file").run().text()).isEqualTo("x");
      safe.curl("/open/b/file").method("DELETE").run();
      assertThat(replace(safe, method).status()).isEqualTo(204);
    }
  }

  private static Curl.Response replace(RunningStorage safe, String method) {
    return safe.curl("/open/a/").method(method).header("Destination", safe.url("/open/b/")).run();
  }
}
