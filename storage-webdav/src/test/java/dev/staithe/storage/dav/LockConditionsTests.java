package dev.staithe.storage.dav;

import static dev.staithe.storage.dav.Requests.freshCollection;
import static dev.staithe.storage.dav.Requests.get;
import static dev.staithe.storage.dav.Requests.lock;
import static dev.staithe.storage.dav.Requests.put;
import static dev.staithe.storage.dav.Requests.status;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock is given under the conditions of its request only. */
class LockConditionsTests {
  private final String folder = freshCollection();
  private final String file = folder + "file";
  private String etag = "";

  @BeforeEach
  void putFile() {
    put(file, "content").run();
    etag = get(file).head().run().header("ETag").orElseThrow();
  }

  private static int locked(String path, String name, String value) {
    return lock(path, "exclusive", "0").header(name, value).run().status();
  }

  @Test
  void fileThatIsNotWhatTheClientKnowsIsNotLocked() {
    String[][] failing = {
      {"If-Match", "\"old\""},
      {"If-None-Match", "*"},
      {"If-None-Match", etag},
      {"If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"},
      {"If", "([\"old\"])"},
      {"If", "(<urn:uuid:none>)"},
      {"If", "<" + folder + "none> ([" + etag + "])"},
    };
    for (String[] field : failing) {
      assertThat(locked(file, field[0], field[1])).as(String.join(": ", field)).isEqualTo(412);
    }
    assertThat(put(file, "free").run().status()).as("no lock is left").isEqualTo(204);
  }

  @Test
  void fileThatIsWhatTheClientKnowsIsLocked() {
    assertThat(locked(file, "If-Match", etag)).isEqualTo(200);
    put(folder + "other", "x").run();
    String other = get(folder + "other").head().run().header("ETag").orElseThrow();
    assertThat(locked(folder + "other", "If", "([" + other + "])")).isEqualTo(200);
    assertThat(put(file, "x").run().status()).isEqualTo(423);
    assertThat(put(folder + "other", "x").run().status()).isEqualTo(423);
  }

  @Test
  void nameThatMustNotBeFreeIsNotLockedWhereItIs() {
    assertThat(locked(folder + "free", "If-Match", "*")).isEqualTo(412);
    assertThat(status(folder + "free")).isEqualTo(404);
    assertThat(locked(folder + "free", "If-None-Match", "*")).isEqualTo(201);
  }
}
