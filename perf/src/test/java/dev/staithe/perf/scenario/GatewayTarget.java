package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;

import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.GatewayTask.Protection;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which endpoint of a gateway is measured, and by which messages. Immutable.
 *
 * @param messages what is made ahead, and of what
 * @param rate calls in a second of the open model; 0 for the closed one
 * @param warmUp how long requests are not counted at first
 * @param measured how long they are counted, at least a second
 */
record GatewayTarget(GatewayTask messages, double rate, Duration warmUp, Duration measured) {

  GatewayTarget {
    require(
        messages.url().matches("https?://[^/@?#]+/[^@?#]*"),
        "perf.url is missing or not http://HOST:PORT/ENDPOINT");
    require(messages.clients() >= 1, "perf.users is at least 1");
    require(messages.messages() >= 1, "perf.messages is at least 1");
    require(
        !messages.unique() || rate * warmUp.plus(measured).toSeconds() <= messages.messages(),
        "perf.messages are fewer than are due at perf.rate until the end");
    require(messages.contexts() >= 1, "perf.contexts is at least 1");
    require(
        messages.protection() == Protection.PLAIN
            || !messages.credential().isEmpty() && !messages.service().isEmpty(),
        "perf.credential and perf.service-certificate are missing, which the protection needs");
    require(
        !asksByTls(messages) || !messages.authority().isEmpty(),
        "perf.ca is missing, which the conversation needs over https");
    require(measured.toSeconds() >= 1, "perf.seconds is at least 1");
  }

  /** Whether it is asked for contexts by TLS, before messages can be made. */
  static boolean asksByTls(GatewayTask messages) {
    return messages.protection() == Protection.CONVERSATION && messages.url().startsWith("https:");
  }

  /**
   * From any source of settings, which answers null for what nobody has said.
   *
   * @throws IllegalArgumentException where one is missing or not allowed; the message names it
   */
  static GatewayTarget from(Function<String, @Nullable String> source) {
    var settings = new Settings(source);
    settings.refuse("profile");
    String protection = settings.text("protection").orElse("plain");
    require(
        protection.matches("plain|x509|conversation"),
        "perf.protection is plain, x509 or conversation");
    Duration warmUp = Duration.ofSeconds((long) settings.number("warm-up-seconds", 15));
    Duration measured = Duration.ofSeconds((long) settings.number("seconds", 60));
    return new GatewayTarget(
        new GatewayTask(
            Errand.CALL,
            Protection.valueOf(protection.toUpperCase(Locale.ROOT)),
            settings.text("url").orElse(""),
            !settings.flag("circular", false),
            (int) settings.number("messages", 10_000),
            (int) settings.number("users", 8),
            warmUp.plus(measured).toSeconds(),
            0,
            settings.size("payload", 2_000, 32 << 20),
            (int) settings.number("contexts", 200),
            1,
            true,
            settings.text("ca").orElse(""),
            settings.text("credential").orElse(""),
            settings.text("service-certificate").orElse("")),
        settings.number("rate", 0),
        warmUp,
        measured);
  }
}
