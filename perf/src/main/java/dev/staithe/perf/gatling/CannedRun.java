package dev.staithe.perf.gatling;

import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import dev.staithe.perf.report.GatlingCost;
import dev.staithe.perf.result.Distribution;
import dev.staithe.perf.result.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a run of Gatling has of its own: the same requests once more, answered with canned bytes,
 * and by the lean client where it can make them.
 *
 * @param settings of the run against the server
 * @param checkout that has the script which makes certificates
 * @param work a folder that is deleted later
 */
record CannedRun(
    Scenario scenario,
    GatlingProcess gatling,
    Map<String, String> settings,
    Path checkout,
    Path work) {
  /** Percentiles do not get better after that. */
  private static final int MOST_SECONDS = 30;

  private static final int USUAL_USERS = 4;

  /**
   * Runs it, says what came of it, and writes it beside the report.
   *
   * @param first the run against the server, with a report
   * @param server ours, where it runs here
   */
  void compare(GatlingProcess.Ended first, Optional<RunningPeer> server)
      throws IOException, InterruptedException {
    if (!scenario.canned()) {
      say("there are no canned answers for " + scenario + ": what is Gatling's own is not told");
      return;
    }
    boolean encrypted = setting("url", "").startsWith("https");
    Site site = encrypted ? Site.make(checkout, work.resolve("canned-site")) : null;
    try (CannedServer canned =
        site == null
            ? CannedServer.plain()
            : CannedServer.encrypted(site.certificate(), site.key())) {
      var same = new LinkedHashMap<>(settings);
      String address = canned.url() + (scenario.servers() == Scenario.Servers.SESSIONS ? "" : "/");
      same.put("perf.url", address);
      if (!setting("second-url", "").isEmpty()) {
        same.put("perf.second-url", address + "second/");
      }
      if (site != null) {
        same.put("perf.ca", site.authority().toString());
      }
      int seconds = Math.min(MOST_SECONDS, (int) number("seconds", MOST_SECONDS));
      same.put("perf.seconds", "" + seconds);
      same.put("perf.cool-down-seconds", "0");
      say("the same requests against canned bytes, for %d s".formatted(seconds));
      Path log = work.resolve("canned.log");
      GatlingProcess.Ended second =
          gatling.run(same, work.resolve("canned"), ProcessBuilder.Redirect.to(log.toFile()));
      var measured = second.measured();
      if (second.code() != 0 || measured.isEmpty()) {
        say("the canned answers do not fit these requests: what is Gatling's own is not told");
        return;
      }
      Map<String, Distribution> lean =
          server.isEmpty() ? Map.of() : lean(server.get(), canned.answers(), seconds);
      Path report = first.report().orElseThrow();
      var cost =
          GatlingCost.of(
              scenario.toString(),
              "" + Machine.facts(checkout, work).get("processor"),
              Math.max(first.othersBusy(), second.othersBusy()),
              first.measured().orElseThrow(),
              measured.get(),
              lean);
      System.out.println(cost.text());
      cost.write(report.resolve(GatlingCost.FILE));
    }
  }

  private Map<String, Distribution> lean(RunningPeer server, CannedAnswers like, int seconds)
      throws IOException {
    if (!isEven(settings, System.getenv())) {
      say("the load is not the same all the time: the lean client tells nothing");
      return Map.of();
    }
    Path log = Files.createFile(work.resolve("lean-client.log"));
    return new LeanClientBeside(
            server,
            Path.of(setting("ca", "")),
            like,
            (int) number("users", USUAL_USERS),
            number("rate", 0),
            seconds)
        .measure(scenario, log);
  }

  private String setting(String name, String otherwise) {
    return told(name, settings, System.getenv()).orElse(otherwise);
  }

  /** A setting as the simulations have it: a property, or else a variable of the environment. */
  static Optional<String> told(
      String name, Map<String, String> properties, Map<String, String> environment) {
    String variable = "PERF_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    return Optional.ofNullable(properties.get("perf." + name))
        .or(() -> Optional.ofNullable(environment.get(variable)))
        .filter(text -> !text.isBlank());
  }

  /** Whether the load is like that of the lean client: at one rate, or without a pause. */
  static boolean isEven(Map<String, String> properties, Map<String, String> environment) {
    return told("profile", properties, environment).orElse("steady").matches("steady|soak")
        && told("pause-millis", properties, environment).orElse("0").matches("[0.]+");
  }

  private double number(String name, double otherwise) throws IOException {
    String text = setting(name, "" + otherwise);
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IOException("perf." + name + " is a number, not " + text, e);
    }
  }

  private static void say(String line) {
    System.out.println("perf/run: " + line);
  }
}
