package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Storing a file by LOCK and PUT with a token that may only create. */
class CreateByLockTests {
  private final String name = UUID.randomUUID().toString();
  private final String path = "/data/" + name;
  private final Path file = storage.data().resolve(name);
  private final String creator = storage.token("storage.create:/");
  private String lock = "";

  @BeforeEach
  void lockFreeName() {
    Curl.Response response =
        curl("LOCK", path)
            .token(creator)
            .header("Content-Type", "application/xml")
            .body(
                "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope>"
                    + "<D:locktype><D:write/></D:locktype></D:lockinfo>")
            .run();
    assertThat(response.status()).isEqualTo(201);
    lock = response.header("Lock-Token").orElseThrow();
    assertThat(file).isEmptyFile();
  }

  private Curl locked(Curl request) {
    return request.header("If", "(" + lock + ")");
  }

  private Curl putOf(String token, String content) {
    return locked(put(path, content)).token(token);
  }

  @Test
  void creatorFillsTheFileOnce() {
    assertThat(putOf(creator, "content").run().status()).isEqualTo(204);
    assertThat(file).hasContent("content");
    assertThat(putOf(creator, "again").run().status()).isEqualTo(403);
    assertThat(file).hasContent("content");
  }

  @Test
  void contentThatIsRefusedLeavesTheFileToBeFilled() {
    assertThat(putOf(creator, "x").header("Digest", "adler32=00000001").run().status())
        .isEqualTo(412);
    assertThat(putOf(creator, "content").run().status()).isEqualTo(204);
  }

  @Test
  void evenEmptyContentFillsIt() {
    assertThat(putOf(creator, "").run().status()).isEqualTo(204);
    assertThat(putOf(creator, "x").run().status()).isEqualTo(403);
  }

  @Test
  void nothingButTheOnePutOfTheCreatorIsAdmitted() {
    assertThat(put(path, "x").token(creator).run().status()).as("no lock token").isEqualTo(403);
    String other =
        storage
            .issuer()
            .token()
            .subject("other")
            .scope("storage.create:/")
            .audience(RunningStorage.AUDIENCE)
            .sign();
    assertThat(putOf(other, "x").run().status()).as("another's lock").isEqualTo(403);
    assertThat(putOf(storage.token("storage.read:/"), "x").run().status()).isEqualTo(403);
    assertThat(putOf(storage.token("storage.create:/elsewhere"), "x").run().status())
        .isEqualTo(403);
    assertThat(putOf(creator, "x").header("Content-Range", "bytes 0-0/1").run().status())
        .isEqualTo(403);
    assertThat(putOf(creator, "x").header("Upload-Complete", "?1").run().status()).isEqualTo(403);
    for (String method : new String[] {"DELETE", "PROPPATCH", "GET"}) {
      assertThat(locked(curl(method, path)).token(creator).run().status())
          .as(method)
          .isEqualTo(403);
      Trials.held();
    }
    assertThat(file).isEmptyFile();
  }

  @Test
  void fileThatWasChangedSinceIsNotReplaced() throws IOException {
    Files.writeString(file, "of somebody else");
    assertThat(putOf(creator, "x").run().status()).isEqualTo(403);
    assertThat(file).hasContent("of somebody else");
  }

  @Test
  void emptyFileThatNoLockMadeIsNotReplaced() throws IOException {
    assertThat(putOf(storage.token(), "").run().status()).isEqualTo(204);
    assertThat(putOf(creator, "x").run().status()).isEqualTo(403);
    assertThat(file).isEmptyFile();
  }
}
