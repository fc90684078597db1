package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is measured and how: the settings that all simulations share. Immutable.
 *
 * @param server the measured one
 * @param second the other end of third-party copies
 * @param authority the PEM file with the certificates to trust; absent: what Java trusts
 * @param fileBytes length of the files, 1 B to 64 MiB: beyond that Gatling would be what is
 *     measured
 * @param rangeBytes length of a range, 1 B to {@code fileBytes}
 * @param entries files in the folder that is listed, 1 to 100,000
 * @param users of the closed model, at least 1
 * @param rate new users in a second of the open model; 0 for the closed model
 * @param pause think time of the closed model after each answer
 * @param warmUp how long requests are not counted at first
 * @param measured how long they are counted, at least a second
 * @param coolDown how long they are not counted at the end, so that the measured phase ends under
 *     load
 * @param profile how the load goes over the time
 * @param verifies whether copies insist on comparing checksums
 * @param weights the mix of {@link MixedSimulation}, any unit
 */
record StorageTarget(
    Endpoint server,
    Optional<Endpoint> second,
    Optional<Path> authority,
    int fileBytes,
    int rangeBytes,
    int entries,
    int users,
    double rate,
    Duration pause,
    Duration warmUp,
    Duration measured,
    Duration coolDown,
    Profile profile,
    boolean verifies,
    Map<Exercise, Integer> weights) {
  static final int LONGEST_FILE = 64 << 20;

  /**
   * A folder of a server.
   *
   * @param url ends in a slash
   * @param token the bearer token for it; empty to send none
   */
  record Endpoint(URI url, String token) {
    Endpoint {
      require(
          url.getHost() != null
              && url.getUserInfo() == null
              && url.getQuery() == null
              // What is behind it is not sent: the folder itself would be what is removed at the
              // end.
              && url.getFragment() == null
              && ("https".equals(url.getScheme()) || "http".equals(url.getScheme())),
          "a url is http://HOST/PATH/ or https://HOST/PATH/, not " + url);
      if (!url.getPath().endsWith("/")) {
        url = URI.create(url + "/");
      }
    }

    /** Without the token. */
    @Override
    public String toString() {
      return url.toString();
    }
  }

  StorageTarget {
    require(fileBytes >= 1 && fileBytes <= LONGEST_FILE, "perf.size is 1B to 64MiB");
    require(rangeBytes >= 1 && rangeBytes <= fileBytes, "perf.range is 1B to perf.size");
    require(entries >= 1 && entries <= 100_000, "perf.entries is 1 to 100000");
    require(users >= 1, "perf.users is at least 1");
    require(rate >= 0 && rate <= 1_000_000, "perf.rate is 0 to 1000000");
    require(measured.toSeconds() >= 1, "perf.seconds is at least 1");
    require(
        profile != Profile.SPIKE || rate > 0,
        "perf.profile=spike is of arrivals: it needs perf.rate");
    weights = Map.copyOf(weights);
    boolean alone = second.isEmpty();
    require(
        weights.keySet().stream().noneMatch(exercise -> alone && exercise.takesTwo()),
        "third-party copies need perf.second-url");
    require(!weights.isEmpty(), "perf.weights leaves nothing to do");
  }

  /**
   * Reads the settings from system properties as {@code perf.token-file}, or else from environment
   * variables as {@code PERF_TOKEN_FILE}.
   *
   * @throws IllegalArgumentException where one is missing or not allowed; the message names it
   */
  static StorageTarget fromSettings() {
    return from(Settings.ofThisProcess());
  }

  /** The same from any source, which answers null for what nobody has said. */
  static StorageTarget from(Function<String, @Nullable String> source) {
    var settings = new Settings(source);
    String url =
        settings
            .text("url")
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "perf.url is missing, such as https://localhost:8443/data/"));
    String token = settings.text("token-file").map(StorageTarget::token).orElse("");
    Optional<Endpoint> second =
        settings
            .text("second-url")
            .map(
                other ->
                    new Endpoint(
                        URI.create(other),
                        settings
                            .text("second-token-file")
                            .map(StorageTarget::token)
                            .orElse(token)));
    int fileBytes = settings.size("size", 1 << 20, LONGEST_FILE);
    Profile profile = Profile.from(settings);
    return new StorageTarget(
        new Endpoint(URI.create(url), token),
        second,
        settings.text("ca").map(Path::of),
        fileBytes,
        settings.size("range", Math.min(fileBytes, 64 << 10), LONGEST_FILE),
        (int) settings.number("entries", 100),
        (int) settings.number("users", 4),
        settings.number("rate", 0),
        Duration.ofMillis((long) settings.number("pause-millis", 0)),
        Duration.ofSeconds((long) settings.number("warm-up-seconds", 15)),
        Duration.ofSeconds((long) settings.number("seconds", profile.usual().toSeconds())),
        Duration.ofSeconds((long) settings.number("cool-down-seconds", 30)),
        profile,
        settings.flag("verify", true),
        settings.text("weights").map(StorageTarget::weights).orElseGet(() -> shares(second)));
  }

  /** Whether new users come at a fixed rate, whatever the server does. */
  boolean isOpen() {
    return rate > 0;
  }

  /** The server that a copy needs besides the measured one. */
  Endpoint other() {
    return second.orElseThrow(
        () -> new IllegalArgumentException("third-party copies need perf.second-url"));
  }

  private static Map<Exercise, Integer> shares(Optional<Endpoint> second) {
    return Arrays.stream(Exercise.values())
        .filter(exercise -> second.isPresent() || !exercise.takesTwo())
        .collect(Collectors.toMap(Function.identity(), Exercise::share));
  }

  private static Map<Exercise, Integer> weights(String text) {
    var weights = new EnumMap<Exercise, Integer>(Exercise.class);
    for (String part : text.split(",")) {
      String[] pair = part.strip().split("=", -1);
      Exercise exercise =
          Arrays.stream(Exercise.values())
              .filter(one -> one.label().equals(pair[0]))
              .findAny()
              .orElseThrow(
                  () -> new IllegalArgumentException("perf.weights knows no '" + pair[0] + "'"));
      require(
          pair.length == 2 && pair[1].matches("\\d{1,6}"),
          "perf.weights is a list such as upload=20,download=80");
      int weight = Integer.parseInt(pair[1]);
      if (weight > 0) {
        weights.put(exercise, weight);
      }
    }
    return weights;
  }

  private static String token(String file) {
    return Settings.secret("token", file);
  }
}
