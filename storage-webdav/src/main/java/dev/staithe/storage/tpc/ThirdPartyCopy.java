package dev.staithe.storage.tpc;

import dev.staithe.http.HttpSocket;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.flows.Flow;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.flows.SciTag;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.CopyTuning;
import dev.staithe.storage.remote.RemoteClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * {@code COPY}: third-party copies here, copies within this server by another method. A failure
 * that shows within moments is answered by its own status; everything else by 202 and the marker
 * stream, whose last line tells the outcome. Safe for use by many threads.
 */
public final class ThirdPartyCopy implements DavMethod {
  /** Other servers of the same areas, which may make a copy instead. */
  @FunctionalInterface
  public interface Elsewhere {
    /**
     * Sends the client of a copy that was judged here on to one of them.
     *
     * @param pull whether it writes here
     * @return false where nothing was answered
     */
    boolean send(Exchange exchange, boolean pull) throws IOException;
  }

  private final CopySettings settings;
  private final ActiveCopies active;
  private final Transfers transfers;
  private final DavMethod localCopy;
  private final OwnServer own;
  private final FlowMarks marks;
  private final CopyAdmission admission;
  private final Elsewhere elsewhere;
  private final CopyWork.Tools tools;
  private final PerformanceMarkers markers;

  /**
   * Makes the method.
   *
   * @param transfers where copies are looked on
   * @param localCopy for a Destination on this server
   * @param own this server where it is the passive party too
   * @param locking what writing here must respect
   * @param contracts of the areas here
   * @param observer told once of each copy that was admitted, on the copy's thread
   * @param marks for copies with a {@code SciTag}
   * @param delegated for copies with {@code Credential: gridsite}
   * @param elsewhere asked before a copy begins here
   */
  public ThirdPartyCopy(
      CopySettings settings,
      RemoteClient client,
      ActiveCopies active,
      Transfers transfers,
      DavMethod localCopy,
      OwnServer own,
      Locking locking,
      Contracts contracts,
      Consumer<FinishedCopy> observer,
      FlowMarks marks,
      DelegatedCredentials delegated,
      Elsewhere elsewhere,
      Clock clock) {
    this.settings = settings;
    this.active = active;
    this.transfers = transfers;
    this.localCopy = localCopy;
    this.own = own;
    this.marks = marks;
    this.admission = new CopyAdmission(settings, own, locking, contracts, delegated);
    this.elsewhere = elsewhere;
    this.tools = new CopyWork.Tools(client, own, locking, contracts, observer, clock);
    this.markers = new PerformanceMarkers(clock);
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    switch (CopyRequest.parse(
        exchange.request().getHeaders(), own.names().of(exchange.request()), settings)) {
      case CopyRequest.Parsed.Local local -> localCopy.handle(exchange);
      case CopyRequest.Parsed.Refused(int status, String line) -> exchange.refuse(status, line);
      case CopyRequest.Parsed.Remote(CopyRequest copy) -> {
        Optional<CopyAdmission.Granted> granted = admission.judge(exchange, copy);
        if (granted.isPresent() && !sentOn(exchange, copy)) {
          submit(exchange, copy, granted.get());
        }
      }
    }
  }

  /** A copy within this server needs no other, and a proxy was delegated to this one alone. */
  private boolean sentOn(Exchange exchange, CopyRequest copy) throws IOException {
    return !copy.own()
        && !copy.delegated()
        && elsewhere.send(exchange, copy.direction() == CopyRequest.Direction.PULL);
  }

  private void submit(Exchange exchange, CopyRequest copy, CopyAdmission.Granted granted)
      throws IOException {
    CopyTuning.Sending sending =
        settings.tuning().of(exchange.area().name(), copy.remote().host().toLowerCase(Locale.ROOT));
    CopyProgress progress = new CopyProgress(sending, socket -> mark(copy, socket));
    AtomicReference<ActiveCopies.@Nullable Job> itself = new AtomicReference<>();
    Transfer transfer =
        new Transfer(
            Transfer.About.of(exchange, copy, own, transfers.clock().instant()),
            progress,
            why -> active.cancel(Objects.requireNonNull(itself.get()), why));
    CopyWork work =
        new CopyWork(
            tools, exchange, copy, granted, progress, result -> transfers.end(transfer, result));
    ActiveCopies.Job job =
        new ActiveCopies.Job(
            exchange.caller().group(),
            exchange.caller().label(),
            copy.own() ? copy.remote().host() : tools.client().counted(copy.remote()),
            progress,
            work,
            work::drop);
    itself.set(job);
    transfers.begin(transfer);
    switch (active.submit(job)) {
      case ActiveCopies.Entry.Refused(int status, String line) -> {
        transfers.forget(transfer);
        exchange
            .response()
            .getHeaders()
            .put(HttpHeader.RETRY_AFTER, settings.limits().retryAfter().toSeconds());
        exchange.refuse(status, line);
      }
      case ActiveCopies.Entry.Started started -> report(exchange, job);
      case ActiveCopies.Entry.Waiting waiting -> report(exchange, job);
    }
  }

  /** Marks a connection as those see it who run the network, TLS and all. */
  private FlowMarks.Mark mark(CopyRequest copy, HttpSocket socket) {
    InetSocketAddress local = socket.local();
    InetSocketAddress remote = socket.remote();
    return copy.sciTag() == 0 || local == null || remote == null
        ? FlowMarks.Mark.NONE
        : marks.begin(
            new Flow(
                new SciTag(copy.sciTag()),
                local,
                remote,
                copy.direction() == CopyRequest.Direction.PUSH,
                socket::received,
                socket::sent));
  }

  private void report(Exchange exchange, ActiveCopies.Job job) throws IOException {
    boolean told = false;
    try {
      new CopyReport(exchange, job.progress(), markers, settings)
          .run(why -> active.cancel(job, why));
      told = true;
    } finally {
      if (!told) {
        active.cancel(job, "the client went away");
      }
    }
  }
}
