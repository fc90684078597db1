package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;

import dev.staithe.perf.peers.Accounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which credential service is measured, and by which campus users. Immutable.
 *
 * @param url of the service, without a slash at the end
 * @param path of the echo behind SAML
 * @param provider where the identity provider takes ECP's requests
 * @param authority the PEM file with the certificates to trust; absent: what Java trusts
 * @param accounts that exist
 * @param requests a folder with a certificate request {@code user-N.csr} of each account; absent:
 *     nobody asks for certificates
 * @param users at once, at least 1
 * @param calls of a user for each login, at least 1
 * @param pause after each visit
 * @param warmUp how long requests are not counted at first
 * @param measured how long they are counted, at least a second
 * @param coolDown how long they are not counted at the end
 */
record SlcsTarget(
    String url,
    String path,
    String provider,
    Optional<Path> authority,
    Accounts accounts,
    Optional<Path> requests,
    int users,
    int calls,
    Duration pause,
    Duration warmUp,
    Duration measured,
    Duration coolDown) {

  SlcsTarget {
    require(
        url.matches("https?://[^/@?#]+"),
        "perf.url is missing or not http://HOST:PORT without a slash at the end");
    require(path.startsWith("/"), "perf.path begins with a slash");
    require(
        provider.matches("https?://[^@#]+"),
        "perf.provider-url is missing: where the identity provider takes requests of ECP");
    require(accounts.count() >= 1, "perf.accounts is at least 1");
    if (requests.isPresent()) {
      requireAll(requests.get(), accounts.count());
    }
    require(users >= 1, "perf.users is at least 1");
    require(calls >= 1, "perf.calls is at least 1");
    require(measured.toSeconds() >= 1, "perf.seconds is at least 1");
  }

  private static void requireAll(Path folder, int accounts) {
    for (int i = 0; i < accounts; i++) {
      String name = Accounts.name(i) + ".csr";
      require(
          Files.isReadable(folder.resolve(name)),
          "perf.requests: there is no %s in %s".formatted(name, folder));
    }
  }

  /**
   * From any source of settings, which answers null for what nobody has said.
   *
   * @throws IllegalArgumentException where one is missing or not allowed; the message names it
   */
  static SlcsTarget from(Function<String, @Nullable String> source) {
    var settings = new Settings(source);
    settings.refuse("rate", "profile");
    return new SlcsTarget(
        settings.text("url").orElse(""),
        settings.text("path").orElse("/echo"),
        settings.text("provider-url").orElse(""),
        settings.text("ca").map(Path::of),
        new Accounts(
            (int) settings.number("accounts", Accounts.USUAL.count()),
            settings
                .text("password-file")
                .map(file -> Settings.secret("password", file))
                .orElse(Accounts.USUAL.password())),
        settings.text("requests").map(Path::of),
        (int) settings.number("users", 10),
        (int) settings.number("calls", 1),
        Duration.ofMillis((long) settings.number("pause-millis", 0)),
        Duration.ofSeconds((long) settings.number("warm-up-seconds", 15)),
        Duration.ofSeconds((long) settings.number("seconds", 60)),
        Duration.ofSeconds((long) settings.number("cool-down-seconds", 30)));
  }
}
