package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.service.OneLineFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** A key that the storage element does not have stops its start, wherever the key stands. */
class StrictSettingsTests {
  private static final String AT_TOP =
      "access-log, accounting, areas, checksums, client-certificates, contracts, copy, cors, delegation,"
          + " hosts, http2,"
          + " issuer-trust, issuers, limits, metrics, proxy, redirect, scitags, scrub, tape, tls, tokens,"
          + " transfers, trust, voms";

  @TempDir private Path folder;

  private static @Nullable String start(String argument) {
    Throwable failure =
        catchThrowable(
            () -> new SpringApplicationBuilder(StorageApplication.class).run(argument).close());
    assertThat(failure).as("the start").isNotNull();
    return OneLineFailure.describe(failure);
  }

  private @Nullable String startWithFile(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("site.yml"), yaml);
    return start("--spring.config.additional-location=file:" + file);
  }

  @Test
  void argumentThatIsNoKeyIsNamedWithThoseThatAre() {
    assertThat(start("--staithe.speed=fast"))
        .isEqualTo("staithe.speed = \"fast\": is not known; allowed at this place: " + AT_TOP);
    assertThat(start("--staithe.tls=foo"))
        .isEqualTo(
            "staithe.tls = \"foo\": must be a group of keys: certificate, check-interval, enabled,"
                + " key, provider");
  }

  @Test
  void unknownKeyWithAnEmptyMapIsNamedThoughItLeavesNoProperty() throws IOException {
    assertThat(startWithFile("staithe:\n  foo: {}\n"))
        .isEqualTo("staithe.foo = \"{}\": is not known; allowed at this place: " + AT_TOP);
    assertThat(startWithFile("staithe:\n  areas:\n    - name: a\n      grant: {}\n"))
        .startsWith("staithe.areas[0].grant = \"{}\": is not known; allowed at this place: access");
  }

  @Test
  void keyOfAnEarlierVersionIsNamedWithWhatHasCome() throws IOException {
    assertThat(startWithFile("staithe:\n  areas:\n    - name: a\n      fsync: true\n"))
        .startsWith("staithe.areas[0].fsync = \"true\": is gone; sync says what is on the device");
  }

  @Test
  void knownGroupMayBeEmpty() throws IOException {
    assertThat(startWithFile("other: {}\nstaithe:\n  copy: {}\n  tls: {enabled: false}\n"))
        .isEqualTo("staithe.areas = \"\": must be at least one storage area");
  }
}
