package dev.staithe.storage.tpc;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One third-party copy that waits or runs, as those see it who look on. Safe for many threads. */
final class Transfer {
  /** A rate is over this much time at least. */
  private static final long SAMPLE = TimeUnit.SECONDS.toNanos(1);

  /** Characters of a remote URL that are kept: enough to know the file by. */
  private static final int SHOWN_URL = 1024;

  /**
   * An end of a copy on this server.
   *
   * @param area its name
   * @param path below the area's root
   */
  record End(String area, StoragePath path) {}

  /**
   * What does not change.
   *
   * @param request id under which the log has it
   * @param caller who asked, by issuer or name of certificate; no credential
   * @param group the issuer of a token, the first VOMS group of a proxy, or whose turn it takes
   * @param here the file on this server
   * @param href the path by which the caller named it
   * @param remote the file on the other side, without the URL's query, which may hold a credential
   * @param destination where the file comes to, where that is on this server
   * @param clientInfo what the client says of itself
   * @param streams that were asked for
   */
  record About(
      String id,
      String request,
      String caller,
      String group,
      CopyRequest.Direction direction,
      End here,
      String href,
      String remote,
      @Nullable End destination,
      String clientInfo,
      int streams,
      Instant asked) {
    static About of(Exchange exchange, CopyRequest copy, OwnServer own, Instant now) {
      End here = new End(exchange.area().name(), exchange.path());
      String remote = copy.remote().toString();
      return new About(
          UUID.randomUUID().toString(),
          exchange.requestId(),
          exchange.caller().label(),
          organization(exchange.caller()),
          copy.direction(),
          here,
          exchange.href(exchange.path()),
          remote.substring(0, Math.min(remote.length(), SHOWN_URL)),
          copy.direction() == CopyRequest.Direction.PULL
              ? here
              : copy.own() ? own.place(copy.remote()).map(Transfer::end).orElse(null) : null,
          copy.clientInfo(),
          copy.streams(),
          now);
    }
  }

  private static String organization(Caller caller) {
    return caller instanceof CertificateCaller holder && !holder.groups().isEmpty()
        ? holder.groups().getFirst()
        : caller.group();
  }

  private static End end(Areas.Place place) {
    return new End(place.area().area().name(), place.path());
  }

  private final About about;
  private final CopyProgress progress;
  private final Consumer<String> cancel;
  private final long began = System.nanoTime();
  private Sample last = new Sample(0, 0, 0, 0);
  private TransferView.@Nullable Pace lately;

  /** One that begins now, cancelled by {@code cancel} with the reason. */
  Transfer(About about, CopyProgress progress, Consumer<String> cancel) {
    this.about = about;
    this.progress = progress;
    this.cancel = cancel;
  }

  About about() {
    return about;
  }

  boolean queued() {
    return progress.phase() == CopyProgress.Phase.QUEUED;
  }

  /** Ends it from outside; returns at once. */
  void cancel(String why) {
    cancel.accept(why);
  }

  /** As it is now. */
  TransferView view() {
    return view(null, null);
  }

  /** As it is now; {@code result} and {@code ended} where it has ended. */
  TransferView view(@Nullable CopyResult result, @Nullable Instant ended) {
    long now = System.nanoTime();
    long started = progress.started();
    long bytes = progress.bytes();
    long running = started == 0 ? 0 : now - started;
    long peer = progress.peerNanos();
    long storage = progress.storageNanos();
    Sample sample = new Sample(now, bytes, peer, storage);
    Sample beginning = new Sample(now - running, 0, 0, 0);
    TransferView.Pace pace = result == null ? lately(sample, beginning) : sample.since(beginning);
    return new TransferView(
        about,
        result != null
            ? TransferView.State.ENDED
            : queued() ? TransferView.State.QUEUED : TransferView.State.RUNNING,
        progress.phase().label(),
        bytes,
        progress.size(),
        pace.rate(),
        Duration.ofNanos(now - began - running),
        Duration.ofNanos(running),
        progress.remotes(),
        result == null && !queued() ? pace.waits() : null,
        peer,
        storage,
        result == null ? progress.connections() : List.of(),
        result == null ? null : result.outcome(),
        result == null ? null : result.reason(),
        ended);
  }

  /** What was counted until a moment, by {@link System#nanoTime}. */
  private record Sample(long nanos, long bytes, long peer, long storage) {
    TransferView.Pace since(Sample before) {
      long elapsed = nanos - before.nanos;
      return elapsed <= 0
          ? new TransferView.Pace(0, TransferView.Waits.PEER)
          : new TransferView.Pace(
              (long) ((bytes - before.bytes) * 1e9 / elapsed),
              TransferView.Waits.of(elapsed, peer - before.peer, storage - before.storage));
    }
  }

  /** Since somebody looked before, and from the beginning where nobody did. */
  private synchronized TransferView.Pace lately(Sample now, Sample beginning) {
    if (now.nanos == beginning.nanos) {
      return now.since(beginning);
    }
    if (last.nanos == 0) {
      last = beginning;
    }
    if (now.nanos - last.nanos >= SAMPLE) {
      lately = now.since(last);
      last = now;
    }
    TransferView.Pace known = lately;
    return known == null ? now.since(beginning) : known;
  }
}
