package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.curl;
import static dev.staithe.storage.dav.Requests.lock;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.storage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
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
    Curl.Response response = lock(path, "exclusive", "infinity").token(creator).run();
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

  private int refresh(String token) {
    return locked(curl("LOCK", path)).token(token).run().status();
  }

  private int unlock(String token) {
    return curl("UNLOCK", path).header("Lock-Token", lock).token(token).run().status();
  }

  private static String another() {
    return storage
        .issuer()
        .token()
        .subject("other")
        .scope("storage.create:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  @Test
  void creatorRefreshesAndEndsItsLock() {
    assertThat(refresh(creator)).isEqualTo(200);
    assertThat(putOf(creator, "content").run().status()).isEqualTo(204);
    assertThat(refresh(creator)).as("of the file that it filled").isEqualTo(200);
    assertThat(unlock(creator)).isEqualTo(204);
    assertThat(put(path, "free").token(storage.token()).run().status()).isEqualTo(204);
  }

  @Test
  void nobodyElseRefreshesOrEndsItAndItsCreatorTakesNoFurtherOne() {
    assertThat(refresh(another())).isEqualTo(412);
    assertThat(unlock(another())).isEqualTo(403);
    for (String scopes : new String[] {"storage.read:/", "storage.create:/elsewhere"}) {
      assertThat(refresh(storage.token(scopes))).as(scopes).isEqualTo(403);
      assertThat(unlock(storage.token(scopes))).as(scopes).isEqualTo(403);
    }
    assertThat(put(path, "x").token(storage.token()).run().status()).isEqualTo(423);
    assertThat(unlock(creator)).isEqualTo(204);
    assertThat(lock(path, "exclusive", "0").token(creator).run().status()).isEqualTo(403);
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
    assertThat(putOf(another(), "x").run().status()).as("another's lock").isEqualTo(403);
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
