package dev.staithe.storage.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a decision takes with a hundred times the rules: not much more, however they are alike. Only
 * the ratio is judged, of the thread's own CPU time, and the best of several tries counts.
 */
class PolicyGrowthTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String ISSUER = "https://issuer.test";
  private static final int FEW = 100;
  private static final int MANY = 10_000;
  private static final int TRIES = 60;

  /** A rule after the other would be 100; rules that the caches no longer hold have been 6. */
  private static final double MOST = 15;

  /** Rules of one shape, of which the last concerns the request, or none does. */
  record Shape(String name, IntFunction<String> rule) {
    @Override
    public String toString() {
      return name;
    }

    Policy of(int rules) throws IOException {
      StringBuilder text = new StringBuilder("rules:\n");
      for (int i = 0; i < rules; i++) {
        text.append("- {").append(rule.apply(i)).append("}\n");
      }
      return PolicyFile.read(new StringReader(text.toString()), Set.of(ISSUER), rules);
    }
  }

  static Stream<Shape> shapes() {
    String of = ", issuer: \"" + ISSUER + "\", ";
    return Stream.of(
        new Shape("paths beside", i -> "permit: read, path: /a/b/c" + i + ", anyone: true"),
        new Shape("subjects", i -> "permit: read, path: /a" + of + "subject: s" + i),
        new Shape("groups", i -> "permit: read, path: /a/b" + of + "group: /g" + i),
        new Shape("VOMS", i -> "permit: read, path: /, voms: /vo/g" + i),
        new Shape("certificates", i -> "permit: read, path: /, certificate: \"CN=" + i + "\""),
        new Shape(
            "networks",
            i ->
                "deny: all, path: /, anyone: true, network: 10."
                    + i / 250
                    + "."
                    + i % 250
                    + ".0/24"),
        new Shape(
            "paths above one another",
            i -> "permit: read, path: /a" + "/b".repeat(i % 60) + "/" + i + ", anyone: true"));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void hundredTimesTheRulesTakeNoDecisionMuchLonger(Shape shape) throws IOException {
    Policy few = shape.of(FEW);
    Policy many = shape.of(MANY);
    long small = Long.MAX_VALUE;
    long large = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && !(i > 20 && large <= MOST * small); i++) {
      small = Math.min(small, cpu(few));
      large = Math.min(large, cpu(many));
    }
    assertThat((double) large / small).isLessThanOrEqualTo(MOST);
  }

  private static long cpu(Policy policy) {
    Asked asked =
        new Asked(
            new TokenCaller(
                ISSUER,
                "s7",
                Scopes.NONE,
                List.of("/h1", "/h2", "/g3"),
                List.of(),
                null,
                Instant.MAX),
            InetAddress.ofLiteral("10.0.3.9"),
            "GET");
    StoragePath path = StoragePath.of("/a/b/c7/d/e.root");
    long begun = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < 2000; i++) {
      policy.decide(asked, path, Right.READ);
    }
    return THREADS.getCurrentThreadCpuTime() - begun;
  }
}
