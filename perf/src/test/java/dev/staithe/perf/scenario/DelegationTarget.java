package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which delegation service is measured, with which service that acts for its callers, and by whom.
 * Immutable.
 *
 * @param url of the delegation service, without a slash at the end
 * @param call where {@code echoString} of the service that acts is called by SOAP
 * @param authority the PEM file with the certificates to trust; absent: what Java trusts
 * @param credential a PEM file with the user's key (PKCS#8) and certificates
 * @param users at once, at least 1, each on connections of its own, all with that certificate
 * @param calls of a user for each delegation; 0: one delegation for all of a user's calls
 * @param pause after each call
 * @param warmUp how long requests are not counted at first
 * @param measured how long they are counted, at least a second
 * @param coolDown how long they are not counted at the end
 */
record DelegationTarget(
    String url,
    String call,
    Optional<Path> authority,
    Path credential,
    int users,
    int calls,
    Duration pause,
    Duration warmUp,
    Duration measured,
    Duration coolDown) {

  DelegationTarget {
    require(
        url.matches("https?://[^/@?#]+"),
        "perf.url is missing or not http://HOST:PORT without a slash at the end");
    require(
        call.matches("https?://[^@#]+"),
        "perf.call-url is missing: where echoString of a service that acts for its callers is");
    require(
        !credential.toString().isEmpty(),
        "perf.credential is missing: a PEM file with the user's key and certificates");
    require(users >= 1, "perf.users is at least 1");
    require(calls >= 0, "perf.calls is at least 0");
    require(measured.toSeconds() >= 1, "perf.seconds is at least 1");
  }

  /** Where the delegation service takes SOAP. */
  String delegation() {
    return url + "/services/delegation";
  }

  /**
   * From any source of settings, which answers null for what nobody has said.
   *
   * @throws IllegalArgumentException where one is missing or not allowed; the message names it
   */
  static DelegationTarget from(Function<String, @Nullable String> source) {
    var settings = new Settings(source);
    settings.refuse("rate", "profile");
    return new DelegationTarget(
        settings.text("url").orElse(""),
        settings.text("call-url").orElse(""),
        settings.text("ca").map(Path::of),
        Path.of(settings.text("credential").orElse("")),
        (int) settings.number("users", 10),
        (int) settings.number("calls", 1),
        Duration.ofMillis((long) settings.number("pause-millis", 0)),
        Duration.ofSeconds((long) settings.number("warm-up-seconds", 15)),
        Duration.ofSeconds((long) settings.number("seconds", 60)),
        Duration.ofSeconds((long) settings.number("cool-down-seconds", 30)));
  }
}
