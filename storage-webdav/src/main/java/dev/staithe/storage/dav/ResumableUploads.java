package dev.staithe.storage.dav;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DigestHeaders;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.LateChecksumException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.PartialUploads.Partial;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.WriteConsent;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/**
 * Resumable uploads (draft-ietf-httpbis-resumable-upload): a PUT with {@code Upload-Complete} gets
 * an upload resource below {@code /.staithe/uploads/}, to which HEAD, PATCH and DELETE of the same
 * caller apply. One request at a time: a newer one breaks an older off, as its client has given
 * that up. Safe for many threads.
 */
public final class ResumableUploads {
  static final String FOLDER = "/.staithe/uploads/";
  static final String MEDIA_TYPE = "application/partial-upload";

  private static final String SUPPORTED = "Upload Resumption Supported";
  private static final long PROGRESS_BYTES = 64L << 20;
  private static final String PROBLEM = "https://iana.org/assignments/http-problem-types#";

  private final Map<String, PartialUploads> byArea;
  private final Locking locking;
  private final ConcurrentHashMap<String, Turn> turns = new ConcurrentHashMap<>();

  /** Keeps uploads in these, by the name of the area; respects these locks. */
  public ResumableUploads(Map<String, PartialUploads> byArea, Locking locking) {
    this.byArea = Map.copyOf(byArea);
    this.locking = locking;
  }

  /** How many uploads of that area have begun and are not complete; looks at the folder. */
  public long open(String area) throws IOException {
    PartialUploads uploads = byArea.get(area);
    return uploads == null ? 0 : uploads.open();
  }

  /** Forgets those of that area that have expired. */
  public void sweep(String area) throws IOException {
    PartialUploads uploads = byArea.get(area);
    if (uploads != null) {
      uploads.sweep();
    }
  }

  /** Who may touch an upload now. */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Exchange holder; // guarded by this
    private int requests; // that have it or wait for it; changed with the map's entry alone

    Turn joined() {
      requests++;
      return this;
    }

    /** Ends the request that holds the turn, if one does, and takes it. */
    boolean take(Exchange exchange) {
      breakOff();
      try {
        if (!lock.tryLock(30, TimeUnit.SECONDS)) {
          return false;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      hold(exchange);
      return true;
    }

    void give() {
      hold(null);
      lock.unlock();
    }

    private synchronized void hold(@Nullable Exchange exchange) {
      holder = exchange;
    }

    /** Meets no later request of the same connection: its own does not end meanwhile. */
    private synchronized void breakOff() {
      if (holder != null) {
        holder.breakOff(new IOException("a newer request for the same upload has come"));
      }
    }
  }

  /** Whether a request begins or continues a resumable upload. */
  static boolean concerns(HttpFields headers) {
    return flag(headers) != null;
  }

  private static @Nullable Boolean flag(HttpFields headers) {
    String value = headers.get("Upload-Complete");
    return value == null
        ? null
        : switch (value.trim()) {
          case "?1" -> Boolean.TRUE;
          case "?0" -> Boolean.FALSE;
          default -> null;
        };
  }

  /** Begins an upload by the content of a PUT that everything else admits. */
  void begin(Exchange exchange) throws IOException {
    HttpFields headers = exchange.request().getHeaders();
    boolean last = Boolean.TRUE.equals(flag(headers));
    Optional<Long> length = announced(exchange, 0, last, -1);
    if (length.isEmpty()) {
      inconsistent(exchange);
      return;
    }
    DigestHeaders.Stated stated = DigestHeaders.stated(last ? headers : ofTheWhole(headers));
    var upload =
        new PartialUploads.Announced(
            exchange.path(),
            exchange.caller().label(),
            length.get(),
            stated.checksums().values(),
            Conditions.kept(headers),
            PutMethod.algorithms(exchange, stated.checksums().keySet()));
    switch (uploads(exchange).begin(upload)) {
      case Outcome.Refused<Partial> refused -> exchange.refuse(refused);
      case Outcome.Done<Partial> begun -> {
        Partial partial = begun.value();
        String location = FOLDER + exchange.area().name() + "/" + partial.id();
        exchange.interim(
            104, SUPPORTED, Map.of("Location", location, "Upload-Limit", limit(exchange, partial)));
        inTurn(exchange, partial, () -> receive(exchange, partial, 0, last, location));
      }
    }
  }

  /** HEAD, PATCH or DELETE of an upload resource. */
  void handle(Exchange exchange, String id) throws IOException {
    PartialUploads uploads = uploads(exchange);
    Optional<Partial> found = uploads.find(id);
    // Another's upload is as unknown as one that never was.
    if (found.isEmpty() || !found.get().holder().equals(exchange.caller().label())) {
      exchange.refuse(404, "there is no such upload");
      return;
    }
    // Whoever may not write there any more takes back what lies here.
    if (!found.get().complete()
        && !exchange.request().getMethod().equals("DELETE")
        && !exchange.admitted(exchange.admissionToWrite(found.get().target()))) {
      return;
    }
    inTurn(
        exchange,
        found.get(),
        () -> {
          Partial partial = uploads.find(id).orElse(found.get());
          switch (exchange.request().getMethod()) {
            case "HEAD", "GET" -> tell(exchange, partial);
            case "PATCH" -> patch(exchange, partial);
            case "DELETE" -> {
              uploads.cancel(partial);
              exchange.reply(204);
            }
            default -> {
              exchange.response().getHeaders().put(HttpHeader.ALLOW, "HEAD, PATCH, DELETE");
              exchange.refuse(405, "an upload takes HEAD, PATCH and DELETE");
            }
          }
        });
  }

  /** What a request does with an upload. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /** Does it while no other request, here or at another node, touches the upload. */
  private void inTurn(Exchange exchange, Partial partial, Step step) throws IOException {
    String id = partial.id();
    Turn turn = turns.compute(id, (_, one) -> (one == null ? new Turn() : one).joined());
    try {
      if (!turn.take(exchange)) {
        exchange.refuse(409, "another request for this upload does not end");
        return;
      }
      try (PartialUploads.Turn _ = uploads(exchange).turn(id)) {
        step.run();
      } finally {
        turn.give();
      }
    } finally {
      turns.computeIfPresent(id, (_, one) -> --one.requests == 0 ? null : one);
    }
  }

  private void tell(Exchange exchange, Partial partial) throws IOException {
    HttpFields.Mutable out = exchange.response().getHeaders();
    out.put("Upload-Offset", Long.toString(uploads(exchange).offset(partial)));
    out.put("Upload-Complete", partial.complete() ? "?1" : "?0");
    if (partial.length() >= 0) {
      out.put("Upload-Length", Long.toString(partial.length()));
    }
    out.put("Upload-Limit", limit(exchange, partial));
    out.put(HttpHeader.CACHE_CONTROL, "no-store");
    exchange.reply(204);
  }

  private void patch(Exchange exchange, Partial partial) throws IOException {
    HttpFields headers = exchange.request().getHeaders();
    Boolean last = flag(headers);
    String type = headers.get(HttpHeader.CONTENT_TYPE);
    String stated = headers.get("Upload-Offset");
    if (type == null || !type.trim().equalsIgnoreCase(MEDIA_TYPE)) {
      exchange.response().getHeaders().put("Accept-Patch", MEDIA_TYPE);
      exchange.refuse(415, "the content of an upload is " + MEDIA_TYPE);
      return;
    }
    if (last == null || stated == null || !stated.trim().matches("\\d{1,18}")) {
      exchange.refuse(400, "Upload-Complete (?0 or ?1) and Upload-Offset are needed");
      return;
    }
    DigestHeaders.Stated digests = DigestHeaders.stated(headers);
    if (!digests.malformed().isEmpty()) {
      PutMethod.refuse(exchange, digests);
      return;
    }
    long offset = uploads(exchange).offset(partial);
    if (partial.complete()) {
      exchange.response().getHeaders().put("Upload-Complete", "?1");
      exchange.refuse(
          exchange.hasContent() ? 400 : 410,
          "the upload is complete (" + PROBLEM + "completed-upload)");
      return;
    }
    if (Long.parseLong(stated.trim()) != offset) {
      HttpFields.Mutable out = exchange.response().getHeaders();
      out.put("Upload-Offset", Long.toString(offset));
      exchange.refuse(
          409, "the upload has " + offset + " bytes (" + PROBLEM + "mismatching-upload-offset)");
      return;
    }
    Optional<Long> length = announced(exchange, offset, last, partial.length());
    if (length.isEmpty()) {
      inconsistent(exchange);
      return;
    }
    Partial known = partial.withLength(length.get());
    if (known.length() != partial.length()) {
      uploads(exchange).record(known);
    }
    receive(exchange, known, offset, last, null);
  }

  private void receive(
      Exchange exchange, Partial partial, long offset, boolean last, @Nullable String location)
      throws IOException {
    PartialUploads uploads = uploads(exchange);
    WriteConsent consent = consent(exchange, partial);
    Optional<Outcome.Refused<FileStore.Replace>> obstacle = consent.obstacle();
    if (obstacle.isPresent()) {
      exchange.refuse(obstacle.get());
      return;
    }
    PartialUploads.Appender opened;
    switch (uploads.append(partial)) {
      case Outcome.Refused<PartialUploads.Appender> refused -> {
        exchange.refuse(refused);
        return;
      }
      case Outcome.Done<PartialUploads.Appender> done -> opened = done.value();
    }
    long reported = offset;
    long at;
    try (PartialUploads.Appender appender = opened) {
      Content.Chunk chunk;
      while ((chunk = exchange.read()) != null) {
        try {
          if (partial.length() >= 0 && appender.position() + chunk.remaining() > partial.length()) {
            uploads.cancel(partial);
            inconsistent(exchange);
            return;
          }
          appender.append(chunk.getByteBuffer());
        } finally {
          chunk.release();
        }
        if (appender.position() - reported >= PROGRESS_BYTES) {
          // Whoever is told may forget these bytes.
          appender.keep();
          reported = appender.position();
          exchange.interim(104, SUPPORTED, Map.of("Upload-Offset", Long.toString(reported)));
        }
      }
      at = appender.position();
    }
    if (last && partial.length() >= 0 && at != partial.length()) {
      inconsistent(exchange);
    } else if (last) {
      finish(exchange, partial, consent);
    } else {
      HttpFields.Mutable out = exchange.response().getHeaders();
      out.put("Upload-Complete", "?0");
      out.put("Upload-Offset", Long.toString(at));
      if (location != null) {
        out.put(HttpHeader.LOCATION, location);
        out.put("Upload-Limit", limit(exchange, partial));
      }
      exchange.reply(location == null ? 204 : 201);
    }
  }

  /** The conditions that began the upload, and the lock tokens that this request submits. */
  private WriteConsent consent(Exchange exchange, Partial partial) {
    HttpFields.Mutable conditions = Conditions.restored(partial.conditions());
    String submitted = exchange.header("If");
    if (submitted != null) {
      conditions.put("If", submitted);
    }
    return WriteConsent.elsewhere(exchange, locking, conditions, partial.target(), true);
  }

  private void finish(Exchange exchange, Partial partial, WriteConsent consent) throws IOException {
    PartialUploads uploads = uploads(exchange);
    Map<ChecksumAlgorithm, Checksum> stated = new EnumMap<>(ChecksumAlgorithm.class);
    partial.stated().forEach(c -> stated.put(c.algorithm(), c));
    HttpFields headers = exchange.request().getHeaders();
    boolean part = exchange.request().getMethod().equals("PATCH");
    stated.putAll(DigestHeaders.stated(part ? ofTheWhole(headers) : headers).checksums());
    Optional<Map<ChecksumAlgorithm, Checksum>> last = PutMethod.statedLast(exchange);
    if (last.isEmpty()) {
      uploads.cancel(partial);
      return;
    }
    stated.putAll(last.get());
    Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
    algorithms.addAll(exchange.options().checksums());
    algorithms.addAll(stated.keySet());
    Map<ChecksumAlgorithm, Checksum> computed = uploads.checksums(partial, algorithms);
    for (ChecksumAlgorithm each : stated.keySet()) {
      if (!computed.containsKey(each)) {
        throw new LateChecksumException(each);
      }
    }
    exchange.response().getHeaders().put("Upload-Complete", "?1");
    String mismatch = PutMethod.mismatch(stated, computed);
    if (mismatch != null) {
      uploads.cancel(partial);
      exchange.refuse(412, mismatch);
      return;
    }
    switch (uploads.finish(partial, consent, computed.values())) {
      case Outcome.Refused<FileEntry> refused -> exchange.refuse(refused);
      case Outcome.Done<FileEntry> done -> {
        HttpFields.Mutable out = exchange.response().getHeaders();
        out.put(HttpHeader.ETAG, done.value().etag());
        exchange
            .area()
            .store()
            .kept(done.value(), ChecksumAlgorithm.ADLER32)
            .ifPresent(c -> out.put("Digest", c.rfc3230()));
        exchange.reply(consent.replaced() ? 204 : 201);
      }
    }
  }

  /** Without {@code Content-MD5}, which is of the content of its message (RFC 1864 section 2). */
  private static HttpFields ofTheWhole(HttpFields headers) {
    return HttpFields.build(headers).remove("Content-MD5");
  }

  /** The length of the whole file that a request tells; empty where it contradicts itself. */
  private static Optional<Long> announced(
      Exchange exchange, long offset, boolean last, long before) {
    long length = before;
    String stated = exchange.header("Upload-Length");
    if (stated != null && stated.trim().matches("\\d{1,18}")) {
      long value = Long.parseLong(stated.trim());
      if (length >= 0 && length != value) {
        return Optional.empty();
      }
      length = value;
    }
    if (last && exchange.length() >= 0) {
      long value = offset + exchange.length();
      if (length >= 0 && length != value) {
        return Optional.empty();
      }
      length = value;
    }
    return Optional.of(length);
  }

  private static void inconsistent(Exchange exchange) throws IOException {
    exchange.refuse(400, "the lengths do not agree (" + PROBLEM + "inconsistent-upload-length)");
  }

  private String limit(Exchange exchange, Partial partial) {
    return "max-age=" + Math.max(0, uploads(exchange).left(partial).toSeconds());
  }

  private PartialUploads uploads(Exchange exchange) {
    PartialUploads uploads = byArea.get(exchange.area().name());
    if (uploads == null) {
      throw new IllegalStateException("no uploads for area " + exchange.area().name());
    }
    return uploads;
  }
}
