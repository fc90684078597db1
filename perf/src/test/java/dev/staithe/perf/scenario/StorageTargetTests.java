package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StorageTargetTests {
  private static final String URL = "https://localhost:8443/data/";

  @Test
  void urlIsEnoughAndTheRestHasDefaults() {
    StorageTarget target = target(Map.of());
    assertThat(target.server()).isEqualTo(new StorageTarget.Endpoint(URI.create(URL), ""));
    assertThat(target.second()).isEmpty();
    assertThat(target.authority()).isEmpty();
    assertThat(target.fileBytes()).isEqualTo(1 << 20);
    assertThat(target.rangeBytes()).isEqualTo(64 << 10);
    assertThat(target.entries()).isEqualTo(100);
    assertThat(target.users()).isEqualTo(4);
    assertThat(target.isOpen()).isFalse();
    assertThat(target.pause()).isZero();
    assertThat(target.warmUp()).isEqualTo(Duration.ofSeconds(15));
    assertThat(target.measured()).isEqualTo(Duration.ofSeconds(60));
    assertThat(target.coolDown()).isEqualTo(Duration.ofSeconds(30));
    assertThat(target.verifies()).isTrue();
    assertThat(target.weights())
        .containsOnlyKeys(Exercise.UPLOAD, Exercise.DOWNLOAD, Exercise.RANGE, Exercise.LISTING);
  }

  @Test
  void everySettingIsTaken(@TempDir Path folder) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "one\n");
    Path other = Files.writeString(folder.resolve("other"), "two\n");
    StorageTarget target =
        target(
            Map.ofEntries(
                Map.entry("perf.token-file", token.toString()),
                Map.entry("perf.second-url", "http://localhost:1/b"),
                Map.entry("perf.second-token-file", other.toString()),
                Map.entry("perf.ca", "ca.pem"),
                Map.entry("perf.size", "8MiB"),
                Map.entry("perf.range", "4096"),
                Map.entry("perf.entries", "10"),
                Map.entry("perf.users", "16"),
                Map.entry("perf.rate", "12.5"),
                Map.entry("perf.pause-millis", "250"),
                Map.entry("perf.warm-up-seconds", "1"),
                Map.entry("perf.seconds", "2"),
                Map.entry("perf.cool-down-seconds", "3"),
                Map.entry("perf.verify", "false"),
                Map.entry("perf.weights", "upload=1, pull=3,push=0")));
    assertThat(target)
        .isEqualTo(
            new StorageTarget(
                new StorageTarget.Endpoint(URI.create(URL), "one"),
                Optional.of(new StorageTarget.Endpoint(URI.create("http://localhost:1/b/"), "two")),
                Optional.of(Path.of("ca.pem")),
                8 << 20,
                4096,
                10,
                16,
                12.5,
                Duration.ofMillis(250),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Profile.STEADY,
                false,
                Map.of(Exercise.UPLOAD, 1, Exercise.PULL, 3)));
    assertThat(target.isOpen()).isTrue();
  }

  @Test
  void secondServerTakesTheFirstTokenUnlessItHasItsOwn(@TempDir Path folder) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "one");
    StorageTarget target =
        target(Map.of("perf.token-file", token.toString(), "perf.second-url", URL));
    assertThat(target.other().token()).isEqualTo("one");
    assertThat(target.weights()).containsKeys(Exercise.PULL, Exercise.PUSH);
  }

  @Test
  void soakTakesAnHourUnlessToldOtherwise() {
    assertThat(target(Map.of("perf.profile", "soak")).measured()).isEqualTo(Duration.ofHours(1));
    assertThat(target(Map.of("perf.profile", "soak", "perf.seconds", "5")).measured())
        .isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void tokenIsNotPrinted(@TempDir Path folder) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "very-secret");
    assertThat(target(Map.of("perf.token-file", token.toString())).toString())
        .doesNotContain("very-secret");
    Path two = Files.writeString(folder.resolve("two"), "very-secret and more");
    assertThatThrownBy(() -> target(Map.of("perf.token-file", two.toString())))
        .hasMessageContaining("does not hold one token")
        .message()
        .doesNotContain("very-secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          perf.url             | ftp://localhost/        | a url is
          perf.url             | https://a:b@localhost/  | a url is
          perf.url             | https://localhost/a/#b  | a url is
          perf.url             | https://localhost/a/#   | a url is
          perf.second-url      | https://localhost/a/#b  | a url is
          perf.token-file      | /no/such/file           | cannot be read
          perf.size            | 65MiB                   | perf.size
          perf.size            | 0                       | perf.size
          perf.size            | big                     | perf.size
          perf.range           | 2MiB                    | perf.range
          perf.entries         | 0                       | perf.entries
          perf.users           | -1                      | perf.users
          perf.users           | 0                       | perf.users
          perf.rate            | fast                    | perf.rate
          perf.seconds         | 0                       | perf.seconds
          perf.profile         | wild                    | perf.profile
          perf.profile         | spike                   | it needs perf.rate
          perf.verify          | perhaps                 | perf.verify
          perf.weights         | upload=0                | perf.weights
          perf.weights         | upload                  | perf.weights
          perf.weights         | sing=1                  | perf.weights
          perf.weights         | pull=1                  | perf.second-url
          """)
  void settingThatIsNotAllowedIsNamed(String name, String value, String message) {
    assertThatThrownBy(() -> target(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void urlThatIsMissingIsNamed() {
    assertThatThrownBy(() -> StorageTarget.from(name -> null))
        .hasMessageStartingWith("perf.url is missing");
  }

  private static StorageTarget target(Map<String, String> settings) {
    var all = new HashMap<>(Map.of("perf.url", URL));
    all.putAll(settings);
    return StorageTarget.from(all::get);
  }
}
