package dev.staithe.perf.gatling;

import dev.staithe.peers.process.Folders;
import dev.staithe.peers.process.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one of Gatling's simulations, against a site or against servers of ours. */
@Command(
    name = "gatling",
    description = {
      "Runs a simulation by Gatling: against a site (--url), or against our own servers (--here).",
      "The report is below perf/target/gatling. docs/gatling.md takes you to a changed scenario.",
      "Afterwards the same requests are answered with canned bytes, which tells what of the"
          + " report's figures is Gatling's own."
    })
public final class GatlingCommand implements Callable<Integer> {
  private static final String SETTING = "perf.";

  /** What an interrupted run needs to end, once its servers have ended. */
  private static final int GRACE_SECONDS = 30;

  @Parameters(arity = "0..1", paramLabel = "SCENARIO", description = "none: tells which there are")
  private @Nullable Scenario scenario;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Place place = new Place();

  /** Against what. */
  static final class Place {
    @Option(names = "--here", description = "start our own servers, and end them afterwards")
    boolean here;

    @Option(names = "--url", description = "a folder of a storage element, or a service's address")
    @Nullable String url;
  }

  @Option(names = "--token-file", description = "the bearer token, in a file of yours alone")
  private @Nullable Path token;

  @Option(names = "--ca", description = "PEM with the authorities to trust; none: Java's")
  private @Nullable Path authority;

  @Option(names = "--users", description = "closed model: so many, one request after the other")
  private @Nullable Integer users;

  @Option(names = "--rate", description = "open model: so many new users a second")
  private @Nullable Double rate;

  @Option(names = "--seconds", description = "how long is measured (60)")
  private @Nullable Integer seconds;

  @Option(
      names = "--profile",
      description =
          "steady (the same all the time), ramp (ten steps up to --rate or --users), spike (five"
              + " times --rate for a fifth of the time), soak (steady for an hour)")
  private @Nullable String profile;

  @Option(names = "--simulation", description = "a class of your own in place of the scenario's")
  private @Nullable String simulation;

  @Option(
      names = "--without-canned",
      description = "leave out the second run, and so do not learn what is Gatling's own")
  private boolean withoutCanned;

  @Option(names = "-D", description = "any setting of a simulation, as -Dperf.size=64KiB")
  private Map<String, String> more = new LinkedHashMap<>();

  @Option(names = "--class-path", hidden = true, description = "of the simulations, for tests")
  private @Nullable String classPath;

  @Option(names = "--repository", hidden = true, description = "the checkout with the jars")
  private Path repository = Path.of(".");

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (scenario == null) {
      System.out.printf("Scenarios:%n" + Scenario.list() + "%n");
      return 0;
    }
    if (!place.here && place.url == null) {
      throw new IOException("say --url of what is to be asked, or --here for servers of ours");
    }
    Path checkout = repository.toAbsolutePath().normalize();
    Path target = checkout.resolve("perf/target");
    Path work =
        Files.createDirectories(
            WorkFolder.named("gatling-" + ProcessHandle.current().pid(), target));
    var cleaned = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(cleaned, work), "delete files"));
    try {
      if (!place.here) {
        return run(scenario, Optional.empty(), checkout, work);
      }
      System.out.println("starting servers of ours for " + scenario);
      try (ServersHere servers = ServersHere.start(scenario, checkout, work)) {
        return run(scenario, Optional.of(servers), checkout, work);
      }
    } finally {
      try {
        Folders.delete(work);
      } finally {
        cleaned.countDown();
      }
    }
  }

  /**
   * Waits, when this JVM is about to end, until an interrupted run has deleted its files, tokens
   * and keys among them. Servers and Gatling are ended by hooks of their own, upon which the run
   * finds that it cannot go on.
   */
  private static void await(CountDownLatch cleaned, Path work) {
    try {
      if (!cleaned.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("perf/run: what the run has written is still in " + work);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int run(Scenario asked, Optional<ServersHere> here, Path checkout, Path work)
      throws IOException, InterruptedException {
    Path target = checkout.resolve("perf/target");
    Map<String, String> settings = new LinkedHashMap<>();
    here.ifPresent(servers -> settings.putAll(servers.settings()));
    put(settings, "url", place.url);
    put(settings, "token-file", token);
    put(settings, "ca", authority);
    put(settings, "users", users);
    put(settings, "rate", rate);
    put(settings, "seconds", seconds);
    put(settings, "profile", profile == null ? null : profile.toLowerCase(Locale.ROOT));
    settings.putAll(more);
    var gatling =
        new GatlingProcess(
            simulation == null ? asked.simulation() : simulation,
            classPath(target),
            target.resolve("gatling-preferences"));
    GatlingProcess.Ended ended =
        gatling.run(settings, target.resolve("gatling"), ProcessBuilder.Redirect.INHERIT);
    if (!withoutCanned && ended.report().isPresent()) {
      new CannedRun(asked, gatling, settings, checkout, work)
          .compare(ended, here.flatMap(ServersHere::storage));
    }
    return ended.code();
  }

  private static void put(Map<String, String> settings, String name, @Nullable Object value) {
    if (value != null) {
      settings.put(SETTING + name, value.toString());
    }
  }

  private String classPath(Path target) throws IOException {
    if (classPath != null) {
      return classPath;
    }
    Path libraries = target.resolve("gatling-lib");
    if (!Files.isDirectory(libraries)) {
      throw new IOException(
          "there is no " + libraries + ": run it by perf/run, without --no-build");
    }
    return target.resolve("test-classes")
        + ":"
        + target.resolve("perf.jar")
        + ":"
        + libraries
        + "/*";
  }
}
