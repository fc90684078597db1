package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Rounds;
import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.harness.TaskDraft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.peers.DelayedLink;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.stores.StaithePeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The part of {@link DelayedLinkStudy} that runs inside a network of its own. */
public final class DelayedLinkTrial {
  static final String TITLE = "Third-party pull in several streams over a link of 20 ms delay";

  private static final Duration DELAY = Duration.ofMillis(20);

  /** Long enough to leave the slow start behind. */
  private static final long SIZE = 256L << 20;

  private final Bench bench;

  /** Of one run. */
  public DelayedLinkTrial(Bench bench) {
    this.bench = bench;
  }

  /** Brings the link up, starts both parties and measures. */
  public void run() throws IOException {
    try (DelayedLink link = DelayedLink.up(DELAY);
        RunningPeer passive = source(link);
        RunningPeer active = active(link)) {
      bench.remark("stripes: the delay is made by " + link.means() + ".");
      long size = bench.form() == Form.SMOKE ? bench.form().bulk() : SIZE;
      String name = bench.files().give(passive.data(), size);
      String source =
          passive
              .door(Door.HTTPS)
              .resolve(name)
              .toString()
              .replace("//localhost:", "//" + DelayedLink.HOST + ":");
      TaskDraft copy =
          bench
              .request(active, Door.HTTPS, "COPY", "put-{n}")
              .header("Source", source)
              .copying(passive.token());
      var contestant =
          bench
              .contestant(
                  "staithe",
                  active,
                  point -> {
                    copy.header("X-Number-Of-Streams", point.getOrDefault("streams", "1"));
                    return bench.perform(copy).copied(size);
                  })
              // The relay is a thread of this process, whose children the parties are.
              .drivenBy(bench.clientCpu().and(Bench.cpu(passive)).and(link::cpuSeconds))
              .after(() -> bench.files().deleteUploads(active.data()));
      Trial trial =
          StudyTable.of("storage").draft(bench, DelayedLinkStudy.ID).trial(List.of(contestant));
      bench.note(trial.about());
      new Rounds(new Random(), bench::note, bench.progress()).run(trial);
    }
  }

  private RunningPeer source(DelayedLink link) throws IOException {
    Path folder = bench.files().newFolder("source");
    bench.site().addHost(DelayedLink.HOST);
    return new StaithePeer(
            bench.site().repository(),
            StaithePeer.Variant.CONSCRYPT,
            "staithe-source",
            """
            server.address: %s
            staithe.tls.certificate: "%s"
            staithe.tls.key: "%s"
            """
                .formatted(
                    link.bindAddress(),
                    bench.site().certificate(DelayedLink.HOST),
                    bench.site().key(DelayedLink.HOST)))
        .start(bench.site(), folder, bench.cores().client());
  }

  private RunningPeer active(DelayedLink link) throws IOException {
    Path folder = bench.files().newFolder("active");
    Path hosts =
        Files.writeString(
            folder.resolve("hosts"),
            "127.0.0.1 localhost\n" + link.remoteAddress() + " " + DelayedLink.HOST + "\n");
    return new StaithePeer(
            bench.site().repository(),
            StaithePeer.Variant.CONSCRYPT,
            "staithe",
            "staithe.copy.allowed-networks: [127.0.0.0/8, 10.0.0.0/8]",
            "-Djdk.net.hosts.file=" + hosts)
        .start(bench.site(), folder, bench.cores().server());
  }
}
