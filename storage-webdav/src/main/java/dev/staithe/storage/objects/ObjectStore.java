package dev.staithe.storage.objects;

import dev.staithe.http.BufferPool;
import dev.staithe.s3.EngineProbe;
import dev.staithe.s3.EngineTraits;
import dev.staithe.s3.ListPage;
import dev.staithe.s3.ObjectBody;
import dev.staithe.s3.PartPlan;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import dev.staithe.s3.WriteCondition;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.files.AreaState;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileChangedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.PartialUploads;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.PathLocks;
import dev.staithe.storage.state.StateFolder;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage area in a bucket of an object store, served by this process alone: who changes a path
 * holds it here. Other programs may read the bucket at any time; what they write there is served,
 * but conditions of requests hold among the clients of this server only. Safe for use by many
 * threads.
 */
public final class ObjectStore implements FileStore {
  private static final Logger log = LoggerFactory.getLogger(ObjectStore.class);
  private static final String SERVER = "server";
  private static final int READ = 256 << 10;

  /**
   * Where an area is, and how it treats its files.
   *
   * @param endpoint which bucket of which engine
   * @param outside the same bucket, by the address at which clients reach it
   * @param prefix with which all keys of the area begin; may be empty
   * @param credentials the file with what requests are signed by
   * @param renewal between two looks at that file
   * @param connections open at once with the engine, 1 or more
   * @param buffers of {@link PartPlan#BUFFER} bytes for all uploads together, 4 or more
   * @param state a folder of this machine for locks and counts
   * @param sync how safe from a power cut these are
   * @param createParents whether an upload makes missing collections
   * @param stagedPerCaller percent of the room that the uploads under way of one caller may take
   */
  public record Settings(
      S3Endpoint endpoint,
      S3Endpoint outside,
      String prefix,
      Path credentials,
      Duration renewal,
      int connections,
      int buffers,
      Path state,
      Sync sync,
      boolean createParents,
      int stagedPerCaller) {
    private S3Settings patience() {
      S3Settings usual = S3Settings.DEFAULT;
      return new S3Settings(
          usual.connect(),
          usual.answer(),
          usual.stall(),
          usual.attempts(),
          usual.pause(),
          connections);
    }
  }

  private final Settings settings;
  private final Clock clock;
  private final RenewedCredentials credentials;
  private final S3Client client;
  private final EngineTraits traits;
  private final ObjectKeys keys;
  private final BufferPool pool;
  private final PathLocks paths = new PathLocks(null);
  private final ObjectRoom room;
  private final ObjectCount count;
  private final KeptTags tags;
  private final ObjectNames names;
  private final ObjectChanges changes;
  private final PartRecords records;
  private final UploadRests rests;

  private ObjectStore(
      Settings settings, Clock clock, RenewedCredentials credentials, S3Client client)
      throws IOException {
    this.settings = settings;
    this.clock = clock;
    this.credentials = credentials;
    this.client = client;
    this.keys = ObjectKeys.below(settings.prefix());
    this.traits = EngineProbe.of(client, keys.probes());
    List<String> obstacles = traits.obstacles();
    if (!obstacles.isEmpty()) {
      throw new IOException(
          "the object store cannot keep an area: " + String.join("; ", obstacles));
    }
    client.check(traits.check());
    String clocks = clockError();
    if (clocks != null) {
      log.warn("{}", clocks);
    }
    this.pool = new BufferPool(PartPlan.BUFFER, settings.buffers(), settings.buffers());
    AreaState usage = state("usage");
    AreaUsage.Count remembered =
        AreaUsage.remembered(usage).orElseGet(() -> new AreaUsage.Count(0, 0));
    this.room = new ObjectRoom(settings.stagedPerCaller(), remembered);
    this.count = new ObjectCount(client, keys, room.usage(), usage);
    this.tags = new KeptTags(client, traits.keepsTags());
    ObjectLeases leases =
        new ObjectLeases(client, keys, server(), !traits.completesOnce(), ObjectLeases.LIFE);
    leases.endLeft();
    this.names =
        new ObjectNames(client, traits, keys, paths, leases, room, settings.createParents());
    ObjectCopies copies = new ObjectCopies(client, traits, tags);
    this.changes = new ObjectChanges(client, keys, paths, names, leases, copies, room);
    this.records = new PartRecords(folder("uploads"), settings.sync(), keys);
    this.rests = new UploadRests(client, keys);
    sweep();
  }

  /**
   * Opens the area: tries what the engine keeps, and gives up what a crash has left in it.
   *
   * @param engines makes an engine in client mode for host and port, which checks the server's
   *     certificate and that it names the host
   * @throws IOException with one line, also where the engine keeps less than files need
   */
  public static ObjectStore open(
      Settings settings, BiFunction<String, Integer, SSLEngine> engines, Clock clock)
      throws IOException {
    RenewedCredentials credentials =
        new RenewedCredentials(settings.credentials(), settings.renewal(), clock);
    S3Client client =
        new S3Client(settings.endpoint(), settings.patience(), credentials, engines, clock);
    try {
      return new ObjectStore(settings, clock, credentials, client);
    } catch (IOException | RuntimeException e) {
      client.close();
      credentials.close();
      throw e;
    }
  }

  /** What the engine was seen to keep at start. */
  public EngineTraits traits() {
    return traits;
  }

  /** Why the newest file of credentials is not in use, one line; null where it is. */
  public @Nullable String credentialsError() {
    return credentials.lastError();
  }

  /** That the engine's clock and this machine's differ by minutes, one line; null where not. */
  public @Nullable String clockError() {
    return client.clock().isOff()
        ? "the clock of the object store is "
            + client.clock().difference()
            + ": nobody is sent on to it, and from some minutes more on it refuses all"
        : null;
  }

  @Override
  public boolean keepsMetadata() {
    return traits.keepsTags();
  }

  @Override
  public boolean stagesInPlace() {
    return false;
  }

  @Override
  public Optional<FileEntry> find(StoragePath path) throws IOException {
    return EngineTrouble.told(() -> names.find(path));
  }

  @Override
  public Outcome<Listing> list(StoragePath path, boolean withProperties) throws IOException {
    return keys.isTooLong(path)
        ? Outcome.Refused.of(Refusal.NOT_FOUND)
        : EngineTrouble.told(() -> listed(path));
  }

  private Outcome<Listing> listed(StoragePath path) throws IOException {
    if (!path.isRoot() && client.head(keys.file(path)).isPresent()) {
      return Outcome.Refused.of(Refusal.NOT_COLLECTION);
    }
    ListPage first = client.list(keys.collection(path), false, "", S3Client.PAGE);
    return path.isRoot() || !first.entries().isEmpty() || !first.prefixes().isEmpty()
        ? new Outcome.Done<>(new ObjectListing(client, keys, path, first))
        : Outcome.Refused.of(Refusal.NOT_FOUND);
  }

  @Override
  public Outcome<OpenFile> open(StoragePath path) throws IOException {
    return EngineTrouble.told(() -> opened(path));
  }

  private Outcome<OpenFile> opened(StoragePath path) throws IOException {
    Optional<FileEntry> found = names.find(path);
    if (found.isEmpty()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    FileEntry file = found.get();
    if (file.collection()) {
      return Outcome.Refused.of(Refusal.IS_COLLECTION);
    }
    if (file.size() > READ) {
      return new Outcome.Done<>(new ObjectFile(client, settings.outside(), tags, file, null));
    }
    // Small files are read now, so that one that is replaced all the time can be read at all.
    Optional<ObjectBody> whole = client.get(keys.file(path));
    if (whole.isEmpty()) {
      return Outcome.Refused.of(Refusal.NOT_FOUND);
    }
    try (ObjectBody body = whole.get()) {
      FileEntry now = ObjectPlace.file(path, body.head());
      return new Outcome.Done<>(
          new ObjectFile(
              client,
              settings.outside(),
              tags,
              now,
              now.size() > READ ? null : ObjectFile.bytes(body)));
    }
  }

  @Override
  public Outcome<Upload> stage(
      @Nullable String caller, StoragePath target, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    Optional<Outcome.Refused<Upload>> obstacle =
        EngineTrouble.told(() -> ObjectUpload.obstacle(names, pool, target, length));
    if (obstacle.isPresent()) {
      return obstacle.get();
    }
    ObjectRoom.Share share = room.share(caller, Math.max(0, length));
    return share == null
        ? Outcome.Refused.of(Refusal.TOO_MANY)
        : new Outcome.Done<>(
            new ObjectUpload(
                client, pool, names, tags, share, target, keys.file(target), length, algorithms));
  }

  @Override
  public <T> T holding(StoragePath path, Step<T> step) throws IOException {
    try (PathLocks.Held _ = paths.hold(path)) {
      return step.run();
    }
  }

  /** Nothing for a file of a listing: a listing asks nothing for each of its members. */
  @Override
  public Optional<Checksum> kept(FileEntry file, ChecksumAlgorithm algorithm) {
    return file.collection() || ObjectPlace.of(file).listed()
        ? Optional.empty()
        : Optional.ofNullable(tags.read(ObjectPlace.head(file)).checksums().get(algorithm));
  }

  @Override
  public Checksum checksum(FileEntry file, ChecksumAlgorithm algorithm) throws IOException {
    Optional<Checksum> known = kept(file, algorithm);
    if (known.isPresent()) {
      return known.get();
    }
    Optional<FileEntry> now = find(file.path());
    if (now.isEmpty() || now.get().collection()) {
      throw new NoSuchFileException("the file is gone");
    }
    if (!now.get().etag().equals(file.etag())) {
      throw new FileChangedException();
    }
    RunningChecksum sum = RunningChecksum.of(algorithm);
    ByteBuffer bytes = ByteBuffer.allocateDirect(READ);
    try (OpenFile open = new ObjectFile(client, settings.outside(), tags, now.get(), null)) {
      long at = 0;
      for (int n = open.read(bytes, at); n > 0; n = open.read(bytes.clear(), at)) {
        at += n;
        sum.update(bytes.flip());
      }
    }
    Checksum computed = sum.finish();
    Map<ChecksumAlgorithm, Checksum> one = new EnumMap<>(ChecksumAlgorithm.class);
    one.put(algorithm, computed);
    tags.add(ObjectPlace.head(now.get()), one, Optional.empty());
    return computed;
  }

  @Override
  public Optional<Instant> compared(FileEntry file) {
    return file.collection() || ObjectPlace.of(file).listed()
        ? Optional.empty()
        : tags.read(ObjectPlace.head(file)).compared();
  }

  @Override
  public void keepCompared(FileEntry file, Instant when) {
    tags.add(ObjectPlace.head(file), Map.of(), Optional.of(when));
  }

  @Override
  public Outcome<FileEntry> makeCollection(StoragePath path, Consent consent) throws IOException {
    return EngineTrouble.told(() -> names.makeCollection(path, consent));
  }

  @Override
  public Outcome<Boolean> delete(StoragePath path, Consent consent) throws IOException {
    return EngineTrouble.told(() -> changes.delete(path, consent));
  }

  @Override
  public Outcome<Boolean> move(StoragePath from, StoragePath to, Consent consent)
      throws IOException {
    return EngineTrouble.told(() -> changes.move(from, to, consent));
  }

  @Override
  public Outcome<Boolean> copy(
      String caller, StoragePath from, StoragePath to, boolean deep, Consent consent)
      throws IOException {
    return EngineTrouble.told(() -> changes.copy(from, to, deep, consent));
  }

  @Override
  public Room room() {
    return room.room();
  }

  @Override
  public Optional<Long> recount() throws IOException {
    sweep();
    return EngineTrouble.told(count::recount);
  }

  /** Which of the servers of the area this is, as its folder knows. */
  private String server() throws IOException {
    AreaState state = state(SERVER);
    Optional<String> known = state.read(SERVER);
    if (known.isEmpty()) {
      known = Optional.of(UUID.randomUUID().toString());
      state.write(SERVER, known.get());
    }
    return known.get();
  }

  private void sweep() {
    try {
      int swept = LeftBehind.sweep(client, keys, records, clock);
      if (swept > 0) {
        log.info("{} uploads that were left in the object store were given up", swept);
      }
    } catch (IOException e) {
      log.warn("what was left in the object store cannot be looked for: {}", e.getMessage());
    }
  }

  @Override
  public void probe() throws IOException {
    String key = keys.probes() + UUID.randomUUID();
    EngineTrouble.told(
        () -> {
          client.put(key, List.of(ByteBuffer.wrap(new byte[] {1})), Map.of(), WriteCondition.NONE);
          client.delete(key);
          return key;
        });
  }

  @Override
  public PartialUploads partialUploads(SteadyClock clock, Duration lifetime) throws IOException {
    return new ObjectUploads(
        client, pool, keys, names, room, tags, records, rests, clock, lifetime);
  }

  @Override
  public AreaState state(String name) throws IOException {
    return new StateFolder(folder(name), settings.sync());
  }

  private Path folder(String name) {
    return settings.state().resolve(StoragePath.RESERVED_PREFIX).resolve(name);
  }

  @Override
  public void close() {
    count.remember();
    client.close();
    credentials.close();
  }
}
