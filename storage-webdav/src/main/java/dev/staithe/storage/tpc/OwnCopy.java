package dev.staithe.storage.tpc;

import dev.staithe.http.HeaderField;
import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.WriteConsent;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.RemoteFailure;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;

/**
 * A copy whose passive party is this very server, made here without a connection (ADR 28). Each end
 * is judged by its own credential; what the passive end refuses is told in the words that a remote
 * server's refusal has. For one thread.
 */
final class OwnCopy {
  /**
   * Bytes between two looks at whether the copy is cancelled. A part that took next to no time, as
   * one whose extents are shared, is followed by one twice as long.
   */
  private static final long PART = 8L << 20;

  private static final long LONGEST_PART = 1L << 30;
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONG = TimeUnit.MILLISECONDS.toNanos(100);

  private final CopyRequest request;
  private final OwnServer server;
  private final Exchange exchange;
  private final Consent consent;
  private final Locking locking;
  private final CopyProgress progress;

  /**
   * Prepares the copy.
   *
   * @param exchange the request, whose path is the active end
   * @param consent of a pull's destination, asked when all bytes are there
   */
  OwnCopy(
      CopyRequest request,
      OwnServer server,
      Exchange exchange,
      Consent consent,
      Locking locking,
      CopyProgress progress) {
    this.request = request;
    this.server = server;
    this.exchange = exchange;
    this.consent = consent;
    this.locking = locking;
    this.progress = progress;
  }

  /** Whether the URL names the request's own file; another name by way of a link shows later. */
  static boolean ontoItself(CopyRequest request, OwnServer server, Exchange exchange) {
    return server
        .place(request.remote())
        .filter(place -> place.area().area().name().equals(exchange.area().name()))
        .filter(place -> place.path().segments().equals(exchange.path().segments()))
        .isPresent();
  }

  /**
   * Performs the copy.
   *
   * @throws RemoteFailure where the passive end does not do its part
   * @throws IOException where the storage fails
   */
  CopyResult run() throws IOException {
    Areas.Place place =
        server
            .place(request.remote())
            .orElseThrow(() -> rejected("404 Not Found", "no storage area is there", 404));
    Exchange there = exchange.elsewhere(place, caller());
    return switch (request.direction()) {
      case PULL -> {
        admit(there.admission(there.path(), Right.READ));
        yield copy(there, exchange, consent);
      }
      case PUSH -> {
        admit(there.admissionToWrite(there.path()));
        yield push(there);
      }
    };
  }

  /**
   * Who asks at the passive end: whoever the credential given for it speaks for, and nobody else;
   * without one the caller, who says by naming a path of ours that it is meant for itself.
   */
  private Caller caller() throws RemoteFailure {
    List<String> given =
        DavHandler.Door.credentials(
            request.forwarded().fields().stream()
                .filter(field -> field.name().equalsIgnoreCase("Authorization"))
                .map(HeaderField::value)
                .toList(),
            request.remote().query());
    if (given.isEmpty()) {
      return exchange.caller();
    }
    return switch (server.tokens().apply(given)) {
      case Identification.Identified(Caller caller) -> caller;
      case Identification.Refused(String reason) -> throw rejected("401 Unauthorized", reason, 403);
      case Identification.NotBelieved(String reason) ->
          throw rejected("401 Unauthorized", reason, 403);
      case Identification.Ambiguous(String reason) ->
          throw rejected("400 Bad Request", reason, 400);
      case Identification.Unavailable(String reason, int retryAfter) ->
          throw rejected("503 Service Unavailable", reason, 0);
    };
  }

  private void admit(Admission admission) throws RemoteFailure {
    if (admission instanceof Admission.Refused(boolean authenticate, String reason)) {
      throw rejected(authenticate ? "401 Unauthorized" : "403 Forbidden", reason, 403);
    }
  }

  private RemoteFailure rejected(String statusLine, String reason, int status) {
    return new RemoteFailure(
        "rejected " + request.direction().method() + ": " + statusLine + ": " + reason, status);
  }

  private CopyResult push(Exchange there) throws IOException {
    Optional<FileEntry> target = there.area().store().find(there.path());
    if (there.path().collectionForm() || target.map(FileEntry::collection).orElse(false)) {
      return new CopyResult.Failed("a collection cannot be pushed onto", 409);
    }
    if (target.isPresent() && !request.overwrite()) {
      return new CopyResult.Failed("File exists at the destination and Overwrite is F", 412);
    }
    WriteConsent write =
        WriteConsent.elsewhere(there, locking, forwarded(), there.path(), request.overwrite());
    Optional<? extends Outcome.Refused<?>> obstacle = write.obstacle();
    return obstacle.isPresent()
        ? CopyResult.Failed.refused(obstacle.get())
        : copy(exchange, there, write);
  }

  private HttpFields forwarded() {
    HttpFields.Mutable fields = HttpFields.build();
    request.forwarded().fields().forEach(field -> fields.add(field.name(), field.value()));
    return fields;
  }

  /** What the client lets depend on the source, as a remote server would judge of GET. */
  private void refuseByCondition(FileEntry source) throws RemoteFailure {
    switch (Conditions.judge(forwarded(), Optional.of(source), true)) {
      case MET -> {}
      case NOT_MODIFIED -> throw rejected("304 Not Modified", Refusal.CONDITION_FAILED.text(), 400);
      case FAILED ->
          throw rejected("412 Precondition Failed", Refusal.CONDITION_FAILED.text(), 412);
    }
  }

  private CopyResult copy(Exchange from, Exchange to, Consent write) throws IOException {
    if (from.area().name().equals(to.area().name()) && place(from).equals(place(to))) {
      return new CopyResult.Failed("source and destination are the same file", 403);
    }
    switch (from.area().store().open(from.path())) {
      case Outcome.Refused<OpenFile> refused -> {
        return CopyResult.Failed.refused(refused);
      }
      case Outcome.Done<OpenFile>(OpenFile file) -> {
        try (file) {
          if (request.direction() == CopyRequest.Direction.PULL) {
            refuseByCondition(file.entry());
          }
          file.readFor(exchange.party());
          return copy(file, from, to, write);
        }
      }
    }
  }

  private static List<String> place(Exchange end) throws IOException {
    StoragePath place = end.area().store().place(end.path(), true);
    return place.segments();
  }

  private CopyResult copy(OpenFile file, Exchange from, Exchange to, Consent write)
      throws IOException {
    Map<ChecksumAlgorithm, Checksum> kept = new EnumMap<>(ChecksumAlgorithm.class);
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      file.kept(algorithm).ifPresent(checksum -> kept.put(algorithm, checksum));
    }
    Optional<String> different = Digests.mismatch(kept, request.expected());
    if (different.isPresent()) {
      return new CopyResult.Failed("the file is another than requested: " + different.get(), 412);
    }
    // No length is announced: room that is set aside before would be given back for shared extents.
    boolean later = to.area().store().stagesInPlace();
    Set<ChecksumAlgorithm> passing = later ? Set.of() : wanted(to);
    switch (to.area().store().stage(exchange.caller().label(), to.path(), -1, passing)) {
      case Outcome.Refused<Upload> refused -> {
        return CopyResult.Failed.refused(refused);
      }
      case Outcome.Done<Upload>(Upload upload) -> {
        try (upload) {
          return copy(file, kept, upload, from, to, write);
        }
      }
    }
  }

  private Set<ChecksumAlgorithm> wanted(Exchange to) {
    Set<ChecksumAlgorithm> wanted = EnumSet.of(ChecksumAlgorithm.ADLER32);
    wanted.addAll(to.options().checksums());
    wanted.addAll(request.expected().keySet());
    return wanted;
  }

  /** The length of the part after one that took so many nanoseconds. */
  private static long next(long part, long took) {
    if (took < SHORT) {
      return Math.min(LONGEST_PART, 2 * part);
    }
    return took > LONG ? Math.max(PART, part / 2) : part;
  }

  private CopyResult copy(
      OpenFile file,
      Map<ChecksumAlgorithm, Checksum> kept,
      Upload upload,
      Exchange from,
      Exchange to,
      Consent write)
      throws IOException {
    progress.expect(file.entry().size());
    progress.enter(CopyProgress.Phase.TRANSFERRING);
    boolean more = true;
    for (long part = PART; more; ) {
      progress.refuseIfCancelled();
      long before = System.nanoTime();
      more = upload.append(file, part);
      long took = System.nanoTime() - before;
      progress.stored(took);
      progress.moved(upload.written());
      part = next(part, took);
    }
    progress.enter(CopyProgress.Phase.VERIFYING);
    // No wire was passed that a checksum could be compared over: the source's go along, unless
    // somebody wrote into it meanwhile. What is missing is computed from the copy.
    Optional<String> now = from.area().store().find(from.path()).map(FileEntry::etag);
    if (now.equals(Optional.of(file.entry().etag()))) {
      upload.known(kept);
    }
    for (ChecksumAlgorithm algorithm : wanted(to)) {
      upload.checksum(algorithm);
    }
    Optional<String> mismatch = Digests.mismatch(upload.checksums(), request.expected());
    if (mismatch.isPresent()) {
      return new CopyResult.Failed(mismatch.get(), 0);
    }
    progress.refuseIfCancelled();
    long bytes = upload.written();
    Checksum shown = upload.checksum(ChecksumAlgorithm.ADLER32);
    return switch (upload.commit(write)) {
      case Outcome.Done<FileEntry> done -> new CopyResult.Copied(bytes, shown, true);
      case Outcome.Refused<FileEntry> refused -> CopyResult.Failed.refused(refused);
    };
  }
}
