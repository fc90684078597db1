package dev.staithe.storage.tpc;

import dev.staithe.http.HttpFailure;
import dev.staithe.http.HttpSocket;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.dav.DavMethod;
import dev.staithe.storage.dav.Exchange;
import dev.staithe.storage.dav.Locking;
import dev.staithe.storage.dav.WriteConsent;
import dev.staithe.storage.files.ChecksumAlgorithm;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.ReadOnlyException;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.flows.Flow;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.flows.SciTag;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * {@code COPY}: third-party copies here, copies within this server by another method. A failure
 * that shows within moments is answered by its own status; everything else by 202 and the marker
 * stream, whose last line tells the outcome. Safe for use by many threads.
 */
public final class ThirdPartyCopy implements DavMethod {
  private static final Logger log = LoggerFactory.getLogger(ThirdPartyCopy.class);

  /** What dCache puts into the query of the URL to come again to. */
  private static final String ASKED = "asked-to-delegate=true";

  private final CopySettings settings;
  private final RemoteClient client;
  private final ActiveCopies active;
  private final DavMethod localCopy;
  private final OwnServer own;
  private final Locking locking;
  private final Consumer<FinishedCopy> observer;
  private final FlowMarks marks;
  private final DelegatedCredentials delegated;
  private final Clock clock;
  private final PerformanceMarkers markers;

  /**
   * Makes the method.
   *
   * @param localCopy for a Destination on this server
   * @param own this server where it is the passive party too
   * @param locking what writing here must respect
   * @param observer told once of each copy that was admitted, on the copy's thread
   * @param marks for copies with a {@code SciTag}
   * @param delegated for copies with {@code Credential: gridsite}
   */
  public ThirdPartyCopy(
      CopySettings settings,
      RemoteClient client,
      ActiveCopies active,
      DavMethod localCopy,
      OwnServer own,
      Locking locking,
      Consumer<FinishedCopy> observer,
      FlowMarks marks,
      DelegatedCredentials delegated,
      Clock clock) {
    this.settings = settings;
    this.client = client;
    this.active = active;
    this.localCopy = localCopy;
    this.own = own;
    this.locking = locking;
    this.observer = observer;
    this.marks = marks;
    this.delegated = delegated;
    this.clock = clock;
    this.markers = new PerformanceMarkers(clock);
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    switch (CopyRequest.parse(
        exchange.request().getHeaders(), own.names().of(exchange.request()), settings)) {
      case CopyRequest.Parsed.Local local -> localCopy.handle(exchange);
      case CopyRequest.Parsed.Refused(int status, String line) -> exchange.refuse(status, line);
      case CopyRequest.Parsed.Remote(CopyRequest copy)
          when copy.delegated() && !delegated.offered() ->
          exchange.refuse(400, "Credential must be none: delegation is not offered here");
      case CopyRequest.Parsed.Remote(CopyRequest copy) -> admit(exchange, copy);
    }
  }

  private void admit(Exchange exchange, CopyRequest copy) throws IOException {
    if (exchange.caller() instanceof Caller.Anonymous) {
      exchange.deny(new Admission.Refused(true, "third-party copy needs a credential"));
      return;
    }
    Admission admission =
        switch (copy.direction()) {
          case PULL -> exchange.admissionToWrite(exchange.path());
          case PUSH -> exchange.admission(exchange.path(), Right.READ);
        };
    if (!exchange.admitted(admission)) {
      return;
    }
    if (exchange.hasContent()) {
      exchange.refuse(415, "COPY takes no body");
      return;
    }
    if (copy.own() && OwnCopy.ontoItself(copy, own, exchange)) {
      // RFC 4918 section 9.8.5.
      exchange.refuse(403, "source and destination are the same file");
      return;
    }
    Optional<CopyResult.Failed> obstacle = obstacle(exchange, copy);
    if (obstacle.isPresent()) {
      exchange.refuse(obstacle.get().status(), obstacle.get().line());
      return;
    }
    WriteConsent consent = WriteConsent.of(exchange, locking, copy.overwrite());
    if (copy.direction() == CopyRequest.Direction.PULL) {
      if (!Locking.wellFormed(exchange)) {
        return;
      }
      Optional<Outcome.Refused<FileStore.Replace>> refused = consent.obstacle();
      if (refused.isPresent()) {
        exchange.refuse(refused.get());
        return;
      }
    }
    submit(exchange, copy, consent);
  }

  /** What the storage area itself says against the copy, before anybody is contacted. */
  private static Optional<CopyResult.Failed> obstacle(Exchange exchange, CopyRequest copy)
      throws IOException {
    StoragePath path = exchange.path();
    Optional<FileEntry> there = exchange.area().store().find(path);
    boolean collection = path.collectionForm() || there.map(FileEntry::collection).orElse(false);
    return switch (copy.direction()) {
      case PULL ->
          collection
              ? Optional.of(new CopyResult.Failed("a collection cannot be pulled onto", 409))
              : there.isPresent() && !copy.overwrite()
                  ? Optional.of(new CopyResult.Failed("File exists and Overwrite is F", 412))
                  : Optional.empty();
      case PUSH ->
          there.isEmpty()
              ? Optional.of(new CopyResult.Failed("No such file or directory", 404))
              : collection
                  ? Optional.of(
                      new CopyResult.Failed("a collection cannot be pushed, only files", 400))
                  : Optional.empty();
    };
  }

  private void submit(Exchange exchange, CopyRequest copy, Consent consent) throws IOException {
    if (!copy.delegated()) {
      submit(exchange, copy, consent, null);
      return;
    }
    if (!(exchange.caller() instanceof CertificateCaller caller)) {
      exchange.refuse(
          400, "Credential: gridsite needs a client certificate, whose owner delegated");
      return;
    }
    switch (delegated.acquire(caller)) {
      case DelegatedCredentials.Asked.Granted(ActingAs as) -> submit(exchange, copy, consent, as);
      case DelegatedCredentials.Asked.Missing(String line) -> askToDelegate(exchange, line);
      case DelegatedCredentials.Asked.Refused(int status, String line) -> {
        log.warn("no proxy of {} for a copy: {}", caller.label(), line);
        if (status == 503) {
          retryLater(exchange);
        }
        exchange.refuse(status, line);
      }
    }
  }

  /**
   * Sends the client to delegate and then to come again, as dCache does; one that comes again
   * without having delegated is not sent round in circles.
   */
  private void askToDelegate(Exchange exchange, String line) throws IOException {
    HttpURI uri = exchange.request().getHttpURI();
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    exchange.response().getHeaders().put("X-Delegate-To", delegated.delegateTo());
    if (List.of(query.split("&", -1)).contains(ASKED)) {
      exchange.deny(new Admission.Refused(true, line));
      return;
    }
    exchange
        .response()
        .getHeaders()
        .put(
            HttpHeader.LOCATION,
            HttpURI.build(uri).query(query.isEmpty() ? ASKED : query + "&" + ASKED).asString());
    exchange.refuse(302, line + ": delegate at " + delegated.delegateTo() + " and come again");
  }

  private void retryLater(Exchange exchange) {
    exchange
        .response()
        .getHeaders()
        .put(HttpHeader.RETRY_AFTER, settings.limits().retryAfter().toSeconds());
  }

  private void submit(Exchange exchange, CopyRequest copy, Consent consent, @Nullable ActingAs as)
      throws IOException {
    CopyProgress progress = new CopyProgress(socket -> mark(copy, socket));
    Work work = new Work(exchange, copy, consent, as, progress, System.nanoTime());
    ActiveCopies.Job job =
        new ActiveCopies.Job(
            exchange.caller().group(),
            exchange.caller().label(),
            copy.own() ? copy.remote().host() : client.counted(copy.remote()),
            progress,
            work,
            work::drop);
    switch (active.submit(job)) {
      case ActiveCopies.Entry.Refused(int status, String line) -> {
        retryLater(exchange);
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

  /** The copy itself, on its own thread. */
  private final class Work implements Runnable {
    private final Exchange exchange;
    private final FileStore store;
    private final StoragePath path;
    private final String area;
    private final String requestId;
    private final String caller;
    private final CopyRequest copy;
    private final Consent consent;
    private final @Nullable ActingAs as;
    private final Set<ChecksumAlgorithm> checksums;
    private final CopyProgress progress;
    private final long began;

    Work(
        Exchange exchange,
        CopyRequest copy,
        Consent consent,
        @Nullable ActingAs as,
        CopyProgress progress,
        long began) {
      this.exchange = exchange;
      this.store = exchange.area().store();
      this.path = exchange.path();
      this.area = exchange.area().name();
      this.requestId = exchange.requestId();
      this.caller = exchange.caller().label();
      this.copy = copy;
      this.consent = consent;
      this.as = as;
      this.checksums = exchange.options().checksums();
      this.progress = progress;
      this.began = began;
    }

    @Override
    public void run() {
      inItsContext(
          () -> {
            CopyResult result = new CopyResult.Failed("internal error", 500);
            try {
              log.info("copy started: {} {} by {}", path, copy.remote(), caller);
              result = perform();
            } catch (RuntimeException e) {
              log.error("copy failed by a defect", e);
            } finally {
              end(result);
            }
          });
    }

    /** Ends a copy whose turn never came. */
    void drop(String why) {
      inItsContext(() -> end(new CopyResult.Aborted(why)));
    }

    private void inItsContext(Runnable action) {
      Map<String, String> before = MDC.getCopyOfContextMap();
      MDC.put("request", requestId);
      MDC.put("client", copy.clientInfo());
      MDC.put("direction", copy.direction().label());
      MDC.put("remote", copy.remote().hostPort());
      MDC.put("area", area);
      try {
        action.run();
      } finally {
        MDC.setContextMap(before == null ? Map.of() : before);
      }
    }

    private CopyResult perform() {
      if (as != null && !as.notAfter().isAfter(clock.instant())) {
        return new CopyResult.Failed("the delegated proxy ended while the copy waited", 0);
      }
      CopyResult result;
      try {
        progress.refuseIfCancelled();
        result =
            copy.own()
                ? new OwnCopy(copy, own, exchange, consent, locking, progress).run()
                : withRemote();
      } catch (HttpFailure | RemoteFailure failure) {
        result =
            new CopyResult.Failed(
                String.valueOf(failure.getMessage()), RemoteFailure.status(failure));
      } catch (NoSpaceException full) {
        result = new CopyResult.Failed("No space left: " + full.getMessage(), 507);
      } catch (ReadOnlyException unchanging) {
        log.error("request {}: {}", requestId, unchanging.getMessage());
        result = new CopyResult.Failed(Refusal.READ_ONLY.text(), 503);
      } catch (IOException e) {
        log.warn("storage failed during a copy", e);
        result = new CopyResult.Failed("the storage failed here, see request " + requestId, 500);
      }
      String cancelled = progress.cancelled();
      return cancelled != null && result instanceof CopyResult.Failed
          ? new CopyResult.Aborted(cancelled)
          : result;
    }

    private CopyResult withRemote() throws IOException {
      try (RemoteSession session =
          new RemoteSession(client, progress, copy.remote(), copy.forwarded(), as)) {
        return switch (copy.direction()) {
          case PULL -> new Pull(copy, caller, store, path, consent, checksums, session).run();
          case PUSH -> new Push(copy, store, path, session).run();
        };
      }
    }

    private void end(CopyResult result) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
      long bytes = progress.bytes();
      double seconds = Math.max(elapsed.toNanos(), 1) / 1e9;
      log.atInfo()
          .addKeyValue("outcome", result.outcome())
          .addKeyValue("bytes", bytes)
          .addKeyValue("seconds", String.format(Locale.ROOT, "%.3f", seconds))
          .addKeyValue(
              "megabytesPerSecond", String.format(Locale.ROOT, "%.1f", bytes / seconds / 1e6))
          .addKeyValue(
              "checksum",
              result instanceof CopyResult.Copied copied ? copied.checksum().toString() : "none")
          .log("copy ended: {}", result.reason() == null ? "success" : result.reason());
      try {
        observer.accept(
            new FinishedCopy(area, copy.direction().label(), result.outcome(), bytes, elapsed));
      } finally {
        // Last, so that who reads the final line finds log and metrics written.
        progress.finish(result);
      }
    }
  }
}
