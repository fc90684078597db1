package dev.staithe.perf.report;

import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A run as a study would leave it behind, with known figures and noise from a fixed seed. */
final class SampleRun {
  static final String AES = "TLSv1.3 TLS_AES_128_GCM_SHA256";
  private static final long GIB = 1L << 30;

  private final Random random = new Random(7);
  private final List<Sample> samples = new ArrayList<>();
  private final double ours;

  /**
   * @param ours a factor on the CPU seconds of our server
   */
  private SampleRun(double ours) {
    this.ours = ours;
  }

  static Results results() {
    return of(1, true);
  }

  static Results of(double ours, boolean complete) {
    return new SampleRun(ours).make(complete);
  }

  /** A later run of one experiment only. */
  static Results at(double ours, Instant started, String experiment) {
    Results all = of(ours, true);
    return new Results(
        all.study(),
        "full",
        started,
        all.seconds(),
        true,
        all.machine(),
        all.parties(),
        all.experiments().stream().filter(each -> each.id().equals(experiment)).toList(),
        all.targets().stream().filter(each -> each.experiment().equals(experiment)).toList(),
        all.samples().stream().filter(each -> each.experiment().equals(experiment)).toList(),
        all.profiles().stream().filter(each -> each.experiment().equals(experiment)).toList(),
        all.series().stream().filter(each -> each.experiment().equals(experiment)).toList(),
        List.of(),
        List.of());
  }

  private Results make(boolean complete) {
    bulk();
    clients();
    sizes();
    return new Results(
        "storage",
        "short",
        Instant.parse("2026-03-01T12:30:00.123456Z"),
        575.5,
        complete,
        machine(),
        parties(),
        experiments(),
        targets(),
        List.copyOf(samples),
        List.of(new Results.Profile("https-get", "staithe", stacks())),
        List.of(
            new Results.Series(
                "https-get",
                "heap in use",
                "MiB",
                List.of(0.0, 2.0, 4.0),
                List.of(40.0, 90.0, 60.0))),
        List.of("The link is loopback: <script>alert(1)</script> & no network."),
        List.of());
  }

  private static Map<String, String> machine() {
    var facts = new LinkedHashMap<String, String>();
    facts.put("processor", "Example CPU @ 2.60GHz, 2 cores");
    facts.put("kernel", "Linux 6.1");
    facts.put("java", "25.0.1");
    return facts;
  }

  private static List<Results.Party> parties() {
    return List.of(
        new Results.Party("staithe", "0.1.0", "java -jar storage.jar --area=<area>", ""),
        new Results.Party("staithe-plain", "0.1.0", "java -jar storage.jar", ""),
        new Results.Party("nginx", "nginx/1.22.1", "nginx -c site.conf", ""),
        new Results.Party("xrootd", "", "", "xrootd is not installed: apt-get install xrootd"),
        new Results.Party("curl", "curl 7.88.1", "curl -o /dev/null \"$url\"", ""));
  }

  private static List<Experiment> experiments() {
    return List.of(
        new Experiment(
            "https-get",
            "HTTPS GET, one stream",
            "1 GiB from a warm page cache by the lean client over one connection.",
            Measure.CPU_PER_GIB,
            "",
            List.of("staithe", "nginx", "xrootd", "staithe-plain"),
            List.of("a cold page cache: dropping it needs root")),
        new Experiment(
            "small-get",
            "1 KiB GET, kept alive",
            "1 KiB by p connections that stay open, without a pause.",
            Measure.REQUESTS,
            "clients",
            List.of("staithe", "nginx"),
            List.of()),
        new Experiment(
            "sizes",
            "GET by size",
            "One stream, sizes from 1 KiB to 1 GiB.",
            Measure.SECONDS,
            "size",
            List.of("staithe", "staithe-plain", "nginx", "nginx-plain"),
            List.of()));
  }

  private static List<Target> targets() {
    return List.of(
        target("HTTPS GET: CPU s/GiB, ours / nginx", Measure.CPU_PER_GIB, "nginx", true, 0.75),
        target("HTTPS GET: CPU s/GiB, ours / XRootD", Measure.CPU_PER_GIB, "xrootd", true, 0.9),
        target("HTTPS GET: rate, ours / nginx", Measure.RATE, "nginx", false, 1.25),
        new Target(
            "1 KiB GET, 64 connections: requests/s, ours / nginx",
            Measure.REQUESTS,
            "small-get",
            "staithe",
            Map.of("clients", "64"),
            "nginx",
            Map.of("clients", "64"),
            Target.Bound.AT_LEAST,
            0.8),
        new Target(
            "16 connections / one",
            Measure.REQUESTS,
            "small-get",
            "staithe",
            Map.of("clients", "16"),
            "staithe",
            Map.of("clients", "1"),
            Target.Bound.AT_LEAST,
            2.5));
  }

  private static Target target(
      String text, Measure measure, String peer, boolean atMost, double limit) {
    return new Target(
        text,
        measure,
        "https-get",
        "staithe",
        Map.of(),
        peer,
        Map.of(),
        atMost ? Target.Bound.AT_MOST : Target.Bound.AT_LEAST,
        limit);
  }

  private void bulk() {
    for (int round = 1; round <= 7; round++) {
      double weather = noise(0.1);
      add("https-get", "staithe", round, Map.of(), GIB, 1.0 * ours * weather, 1.1 * weather, null);
      String busy = round == 3 ? "another process took 41 % of the core <cron>" : null;
      add("https-get", "nginx", round, Map.of(), GIB, 1.5 * weather, 1.3 * weather, busy);
      if (busy != null) {
        add("https-get", "nginx", round, Map.of(), GIB, 1.5 * weather, 1.3 * weather, null);
      }
      String stolen = round == 5 ? "the hypervisor took 12 %" : null;
      add("https-get", "staithe-plain", round, Map.of(), GIB, 0.5 * weather, 0.7, stolen);
    }
  }

  private void clients() {
    for (int p : new int[] {1, 2, 4, 8, 16, 32, 64}) {
      for (int round = 1; round <= 3; round++) {
        var point = Map.of("clients", "" + p);
        requests("staithe", round, point, 2000.0 * p / (1 + 0.12 * (p - 1) + 1e-3 * p * (p - 1)));
        requests("nginx", round, point, 3000.0 * p / (1 + 0.1 * (p - 1)));
      }
    }
  }

  private void requests(String contestant, int round, Map<String, String> point, double rate) {
    var histogram = new Histogram(3);
    long count = Math.round(rate * noise(0.02) * 5);
    for (int i = 0; i < 1000; i++) {
      histogram.recordValue((long) (2e5 * Math.exp(random.nextGaussian() * 0.5)));
    }
    samples.add(
        new Sample(
            "small-get",
            contestant,
            round,
            point,
            count * 1024,
            count,
            0,
            5,
            4.5 * ours,
            4.8,
            0.1,
            encoded(histogram),
            AES,
            null,
            0,
            Map.of()));
  }

  private void sizes() {
    for (long size : new long[] {1024, 65_536, 1 << 20, 16 << 20, 256 << 20, GIB}) {
      for (int round = 1; round <= 3; round++) {
        var point = Map.of("size", "" + size);
        add("sizes", "staithe", round, point, size, 1, 0.004 + size / 1.0e9, null);
        add("sizes", "staithe-plain", round, point, size, 1, 0.001 + size / 2.0e9, null);
        add("sizes", "nginx", round, point, size, 1, 0.003 + size / 0.8e9, null);
        add("sizes", "nginx-plain", round, point, size, 1, 0.001 + size / 2.5e9, null);
      }
    }
  }

  private void add(
      String experiment,
      String contestant,
      int round,
      Map<String, String> point,
      long bytes,
      double cpu,
      double seconds,
      @Nullable String voided) {
    double wall = seconds * noise(0.03);
    samples.add(
        new Sample(
            experiment,
            contestant,
            round,
            point,
            bytes,
            1,
            0,
            wall,
            cpu * noise(0.02),
            wall * (contestant.equals("staithe") ? 0.95 : 0.6),
            0.02,
            null,
            contestant.endsWith("-plain") ? null : AES,
            voided,
            0,
            Map.of()));
  }

  private double noise(double share) {
    return Math.exp(random.nextGaussian() * share);
  }

  private static String encoded(Histogram histogram) {
    var buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  static Map<String, Long> stacks() {
    var stacks = new LinkedHashMap<String, Long>();
    String worker = "java.lang.Thread.run;org.eclipse.jetty.util.thread.QueuedThreadPool.run;";
    stacks.put(worker + "dev.staithe.tls.Batch.wrap;org.conscrypt.NativeCrypto.ENGINE_wrap", 610L);
    stacks.put(worker + "dev.staithe.tls.Batch.wrap;java.nio.DirectByteBuffer.put", 90L);
    stacks.put(worker + "sun.nio.ch.SocketDispatcher.write0", 240L);
    stacks.put(worker + "dev.staithe.storage.files.FileStore.<init>", 60L);
    return stacks;
  }
}
