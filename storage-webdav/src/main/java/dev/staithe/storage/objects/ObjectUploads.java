package dev.staithe.storage.objects;

import dev.staithe.http.BufferPool;
import dev.staithe.s3.ObjectHead;
import dev.staithe.s3.ObjectWriter;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.SentParts;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.objects.PartRecords.Kept;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads over several requests: each is one upload in parts of the engine, whose parts are named
 * by a record of this server. This process alone has them.
 */
final class ObjectUploads implements PartialUploads {
  /** Metadata by which a file is seen to be an upload's, whose record does not say so yet. */
  private static final String MARK = "staithe-upload";

  private static final Logger log = LoggerFactory.getLogger(ObjectUploads.class);

  /** Between looks for what has expired. */
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final S3Client client;
  private final BufferPool pool;
  private final ObjectKeys keys;
  private final ObjectNames names;
  private final ObjectRoom room;
  private final KeptTags tags;
  private final PartRecords records;
  private final UploadRests rests;
  private final SteadyClock clock;
  private final Duration lifetime;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** Those that a request is at, which do not expire meanwhile. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  private volatile Instant swept = Instant.MIN;

  /**
   * An upload that has a record.
   *
   * @param share of its holder's room; null where it is complete
   */
  private record Known(Instant expires, ObjectRoom.@Nullable Share share) {}

  ObjectUploads(
      S3Client client,
      BufferPool pool,
      ObjectKeys keys,
      ObjectNames names,
      ObjectRoom room,
      KeptTags tags,
      PartRecords records,
      UploadRests rests,
      SteadyClock clock,
      Duration lifetime)
      throws IOException {
    this.client = client;
    this.pool = pool;
    this.keys = keys;
    this.names = names;
    this.room = room;
    this.tags = tags;
    this.records = records;
    this.rests = rests;
    this.clock = clock;
    this.lifetime = lifetime;
    Instant latest = clock.instant().plus(lifetime);
    for (Kept each : records.all()) {
      Partial partial = each.partial();
      if (partial.expires().isAfter(latest)) {
        // The clock was ahead when an earlier run wrote it.
        partial = partial.until(latest);
        records.write(each.with(partial));
      }
      known.put(
          partial.id(),
          new Known(
              partial.expires(),
              partial.complete() ? null : room.left(partial.holder(), each.offset())));
    }
    sweep();
  }

  /** None: one server has the area. */
  @Override
  public Turn turn(String id) {
    return () -> {};
  }

  @Override
  public long open() {
    return known.values().stream().filter(each -> each.share() != null).count();
  }

  @Override
  public Outcome<Partial> begin(Announced upload) throws IOException {
    sweep();
    if (ofHolder(upload.holder()) >= MOST_OF_ONE) {
      return new Outcome.Refused<>(
          Refusal.TOO_MANY,
          "you have " + MOST_OF_ONE + " uploads here that are not complete: end some");
    }
    Optional<Outcome.Refused<Partial>> obstacle =
        EngineTrouble.told(
            () -> ObjectUpload.obstacle(names, pool, upload.target(), upload.length()));
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    ObjectRoom.Share share = room.share(upload.holder(), Math.max(0, upload.length()));
    if (share == null) {
      return Outcome.Refused.of(Refusal.TOO_MANY);
    }
    share.settle(0); // Taken when the bytes come, by each request for those that are still to come.
    Partial partial = upload.begun(clock.instant().plus(lifetime));
    records.write(Kept.begun(partial, CarriedChecksums.begin(upload.algorithms())));
    known.put(partial.id(), new Known(partial.expires(), share));
    return new Outcome.Done<>(partial);
  }

  private long ofHolder(String holder) {
    return known.values().stream()
        .map(Known::share)
        .filter(share -> share != null && share.caller().equals(holder))
        .count();
  }

  @Override
  public Optional<Partial> find(String id) throws IOException {
    Optional<Kept> found = records.read(id);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Kept kept = found.get();
    Optional<ObjectHead> named = EngineTrouble.told(() -> named(kept));
    if (named.isPresent()) {
      // The server ended before it could say so.
      end(kept, named.get().etag(), CarriedChecksums.of(kept.sums()).finish());
    }
    return Optional.of(named.isPresent() ? kept.completed().partial() : kept.partial())
        .filter(partial -> partial.expires().isAfter(clock.instant()));
  }

  /** The file, where all bytes have come and it is there, whatever the record says. */
  private Optional<ObjectHead> named(Kept kept) throws IOException {
    Partial partial = kept.partial();
    return partial.complete() || partial.length() != kept.offset()
        ? Optional.empty()
        : client
            .head(keys.file(partial.target()))
            .filter(head -> partial.id().equals(head.metadata().get(MARK)));
  }

  private Kept kept(Partial partial) throws IOException {
    return records
        .read(partial.id())
        .orElseThrow(
            () ->
                new StoreAwayException(
                    "this upload was given up: begin another", new IOException("no record")));
  }

  @Override
  public long offset(Partial partial) throws IOException {
    return kept(partial).offset();
  }

  @Override
  public void record(Partial partial) throws IOException {
    records.write(kept(partial).with(partial));
  }

  private ObjectBytes bytes(Kept kept) {
    String key = keys.file(kept.partial().target());
    Map<String, String> metadata = Map.of(MARK, kept.partial().id());
    return new ObjectBytes(
        client,
        key,
        metadata,
        -1,
        kept.sent(),
        () ->
            new ObjectWriter(
                    client,
                    pool,
                    kept.partial().holder(),
                    ObjectUpload.PATIENCE,
                    key,
                    kept.planned(),
                    metadata)
                .behind(kept.sent()));
  }

  /** Reads what is in no part yet; an upload that has lost it is given up. */
  void takeUp(Kept kept, ObjectBytes into) throws IOException {
    try {
      rests.takeUp(kept, into);
    } catch (StoreAwayException lost) {
      giveUp(kept);
      throw lost;
    }
  }

  @Override
  public Outcome<Appender> append(Partial partial) throws IOException {
    Known upload = known.get(partial.id());
    ObjectRoom.Share share = upload == null ? null : upload.share();
    if (share == null) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    Kept kept = kept(partial).with(partial);
    if (!share.announce(Math.max(partial.length(), kept.offset()))) {
      return Outcome.Refused.of(Refusal.TOO_MANY);
    }
    Appender appender = new ObjectAppender(this, client, records, rests, share, bytes(kept), kept);
    busy.add(partial.id());
    return new Outcome.Done<>(appender);
  }

  /** A request has ended that appended. */
  void appended(Kept kept, ObjectRoom.Share share) {
    String id = kept.partial().id();
    share.settle(known.containsKey(id) ? kept.offset() : 0);
    busy.remove(id);
  }

  @Override
  public Map<ChecksumAlgorithm, Checksum> checksums(
      Partial partial, Set<ChecksumAlgorithm> algorithms) throws IOException {
    Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
    all.putAll(CarriedChecksums.of(kept(partial).sums()).finish());
    all.keySet().retainAll(algorithms);
    return all;
  }

  @Override
  public Outcome<FileEntry> finish(Partial partial, Consent consent, Collection<Checksum> checksums)
      throws IOException {
    Kept found = kept(partial);
    Kept kept = found.with(partial.withLength(found.offset()));
    if (kept.partial().length() != found.partial().length()) {
      // Known from then on, whatever happens after the file has got its name.
      records.write(kept);
    }
    busy.add(partial.id());
    try (ObjectBytes bytes = bytes(kept)) {
      Outcome<FileEntry> named =
          EngineTrouble.told(
              () -> {
                takeUp(kept, bytes);
                bytes.flush();
                return names.name(
                    partial.target(), consent, condition -> bytes.finish(names, condition));
              });
      if (named instanceof Outcome.Done<FileEntry>(FileEntry file)) {
        Map<ChecksumAlgorithm, Checksum> all = new EnumMap<>(ChecksumAlgorithm.class);
        checksums.forEach(each -> all.put(each.algorithm(), each));
        end(kept, file.etag(), all);
      }
      return named;
    } finally {
      busy.remove(partial.id());
    }
  }

  /** It is a file now. */
  private void end(Kept kept, String etag, Map<ChecksumAlgorithm, Checksum> checksums)
      throws IOException {
    tags.begin(keys.file(kept.partial().target()), etag, checksums);
    records.write(kept.completed());
    forget(kept.partial().id());
    known.put(kept.partial().id(), new Known(kept.partial().expires(), null));
  }

  @Override
  public void cancel(Partial partial) throws IOException {
    Optional<Kept> kept = records.read(partial.id());
    if (kept.isPresent()) {
      giveUp(kept.get());
    }
  }

  /** The record goes first: what the engine does not remove now, the sweep does. */
  void giveUp(Kept kept) throws IOException {
    records.remove(kept.partial().id());
    forget(kept.partial().id());
    SentParts sent = kept.sent();
    if (sent != null) {
      try {
        client.abort(sent.upload());
      } catch (IOException e) {
        log.warn("parts of an upload stay in the object store: {}", e.getMessage());
      }
    }
  }

  /** Frees the share of its holder, and what is in no part; nothing is left of a complete one. */
  private void forget(String id) {
    Known upload = known.remove(id);
    if (upload != null && upload.share() != null) {
      upload.share().close();
      rests.removeAll(id);
    }
  }

  @Override
  public Duration left(Partial partial) {
    return Duration.between(clock.instant(), partial.expires());
  }

  @Override
  public void sweep() throws IOException {
    Instant now = clock.instant();
    if (now.isBefore(swept)) {
      return;
    }
    swept = now.plus(SWEEP);
    for (Map.Entry<String, Known> each : known.entrySet()) {
      if (each.getValue().expires().isAfter(now) || busy.contains(each.getKey())) {
        continue;
      }
      Optional<Kept> kept = records.read(each.getKey());
      if (kept.isPresent()) {
        giveUp(kept.get());
        Partial partial = kept.get().partial();
        if (!partial.complete()) {
          log.info("an upload to {} that nobody went on with was removed", partial.target());
        }
      }
    }
  }
}
