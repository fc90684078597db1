package dev.staithe.perf.scenario;

import static dev.staithe.perf.scenario.Settings.require;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;

import io.gatling.javaapi.core.OpenInjectionStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How the load goes over the time of a run. */
enum Profile {
  /** The same all the time. */
  STEADY,
  /** Ten steps up to the rate, or users that come one after the other until all are there. */
  RAMP,
  /** Five times the rate in the middle fifth; of arrivals only. */
  SPIKE,
  /** As steady, and an hour where nothing else is said. */
  SOAK;

  private static final int STEPS = 10;
  private static final int SPIKE_FACTOR = 5;
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration USUAL = Duration.ofSeconds(60);

  /** The setting {@code perf.profile}. */
  static Profile from(Settings settings) {
    String name = settings.text("profile").orElse("steady");
    for (Profile each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException("perf.profile is steady, ramp, spike or soak, not " + name);
  }

  /** The measured phase where {@code perf.seconds} says nothing. */
  Duration usual() {
    return this == SOAK ? LONG : USUAL;
  }

  /**
   * Users that come whether those before have been served or not.
   *
   * @param rate a second, at the top of a ramp and outside a spike
   */
  List<OpenInjectionStep> arrivals(
      double rate, Duration warmUp, Duration measured, Duration coolDown) {
    var steps = new ArrayList<OpenInjectionStep>();
    add(steps, this == RAMP ? rate / STEPS : rate, warmUp);
    switch (this) {
      case STEADY, SOAK -> add(steps, rate, measured);
      case RAMP -> {
        for (int step = 1; step <= STEPS; step++) {
          add(steps, rate * step / STEPS, measured.dividedBy(STEPS));
        }
      }
      case SPIKE -> {
        add(steps, rate, measured.multipliedBy(2).dividedBy(5));
        add(steps, rate * SPIKE_FACTOR, measured.dividedBy(5));
        add(steps, rate, measured.multipliedBy(2).dividedBy(5));
      }
    }
    add(steps, rate, coolDown);
    return steps;
  }

  private static void add(List<OpenInjectionStep> steps, double rate, Duration time) {
    if (time.isPositive()) {
      steps.add(constantUsersPerSec(rate).during(time));
    }
  }

  /** Users who stay until the end of the run. */
  OpenInjectionStep users(int users, Duration warmUp, Duration measured) {
    require(this != SPIKE, "perf.profile=spike is of arrivals: it needs perf.rate");
    return this == RAMP ? rampUsers(users).during(warmUp.plus(measured)) : atOnceUsers(users);
  }
}
