package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;

import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Accounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which session service is measured, and by which users. Immutable.
 *
 * @param urls addresses of its nodes or of a balancer, without a slash at the end
 * @param protocol how it is asked
 * @param authority the PEM file with the certificates to trust; absent: what Java trusts
 * @param accounts that exist
 * @param users at once, at least 1
 * @param logout the probability that a user with a token logs out, 0 to 1
 * @param pause between an answer and the next request, or from request to request with {@code pace}
 * @param pace whether the pause is a fixed beat
 * @param warmUp how long requests are not counted at first
 * @param measured how long they are counted, at least a second
 * @param coolDown how long they are not counted at the end
 * @param profile how the load goes over the time; no spike
 */
record AuthnTarget(
    List<String> urls,
    TokenProtocol protocol,
    Optional<Path> authority,
    Accounts accounts,
    int users,
    double logout,
    Duration pause,
    boolean pace,
    Duration warmUp,
    Duration measured,
    Duration coolDown,
    Profile profile) {

  AuthnTarget {
    require(!urls.isEmpty(), "perf.url is missing, such as http://localhost:8080");
    require(
        urls.stream().allMatch(url -> url.matches("https?://[^/@?#]+(/[^@?#]*[^/@?#])?")),
        "perf.url is http://HOST:PORT, or a list of such with commas, without a slash at the end");
    require(accounts.count() >= 1, "perf.accounts is at least 1");
    require(users >= 1, "perf.users is at least 1");
    require(logout >= 0 && logout <= 1, "perf.logout-percent is 0 to 100");
    require(!pace || pause.isPositive(), "perf.pace needs perf.pause-millis");
    require(measured.toSeconds() >= 1, "perf.seconds is at least 1");
    require(
        profile != Profile.SPIKE, "perf.profile=spike is of arrivals, and users of sessions stay");
  }

  /**
   * From any source of settings, which answers null for what nobody has said.
   *
   * @throws IllegalArgumentException where one is missing or not allowed; the message names it
   */
  static AuthnTarget from(Function<String, @Nullable String> source) {
    var settings = new Settings(source);
    settings.refuse("rate");
    Profile profile = Profile.from(settings);
    return new AuthnTarget(
        settings.text("url").map(urls -> List.of(urls.split(","))).orElse(List.of()),
        protocol(settings),
        settings.text("ca").map(Path::of),
        new Accounts(
            (int) settings.number("accounts", Accounts.USUAL.count()),
            settings
                .text("password-file")
                .map(file -> Settings.secret("password", file))
                .orElse(Accounts.USUAL.password())),
        (int) settings.number("users", 10),
        settings.number("logout-percent", 5) / 100,
        Duration.ofMillis((long) settings.number("pause-millis", 250)),
        settings.flag("pace", false),
        Duration.ofSeconds((long) settings.number("warm-up-seconds", 15)),
        Duration.ofSeconds((long) settings.number("seconds", profile.usual().toSeconds())),
        Duration.ofSeconds((long) settings.number("cool-down-seconds", 30)),
        profile);
  }

  private static TokenProtocol protocol(Settings settings) {
    String name = settings.text("protocol").orElse("staithe");
    return switch (name) {
      case "staithe" -> TokenProtocol.staithe();
      case "openam" -> TokenProtocol.openam();
      case "keycloak" ->
          TokenProtocol.keycloak(
              settings.text("realm").orElse("perf"),
              settings.text("client").orElse("perf"),
              settings
                  .text("client-secret-file")
                  .map(file -> Settings.secret("secret", file))
                  .orElse("perf-secret"));
      default ->
          throw new IllegalArgumentException(
              "perf.protocol is staithe, openam or keycloak, not " + name);
    };
  }

  /** Warm-up, measured phase and cool-down together. */
  Duration whole() {
    return warmUp.plus(measured).plus(coolDown);
  }
}
