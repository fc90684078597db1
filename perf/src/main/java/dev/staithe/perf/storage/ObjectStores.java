package dev.staithe.perf.storage;

import dev.staithe.perf.harness.Areas;
import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Parties;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.stores.StaithePeer;
import dev.staithe.perf.stores.VersityPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Storage elements whose areas are buckets: on the server's core as all of ours, with their object
 * store on the driver's. Not thread-safe.
 */
final class ObjectStores extends Parties {
  /** The storage element. */
  static final String DOOR = "staithe-objects";

  /** The same without TLS, with a bucket of its own: an area in a bucket has one server. */
  static final String PLAIN = DOOR + "-plain";

  private static final String RCLONE = "rclone";

  private final Bench bench;

  /**
   * A storage element, and what has its files.
   *
   * @param name of the storage element
   * @param bucket its name
   */
  record Store(String name, RunningPeer door, VersityPeer.Running engine, String bucket) {
    /** How it is reached. */
    Door how() {
      return door.doors().containsKey(Door.HTTPS) ? Door.HTTPS : Door.HTTP;
    }

    /** The folder with its objects. */
    Path objects() {
      return engine.bucket(bucket);
    }

    /** The CPU time of the object store is nobody's figure. */
    CpuTime between() {
      return Bench.cpu(engine);
    }

    /** The command of a client of object stores that asks this one itself. */
    List<String> rclone(String... arguments) {
      var command =
          new ArrayList<>(
              List.of(
                  "env",
                  "AWS_CA_BUNDLE=",
                  "AWS_SHARED_CREDENTIALS_FILE=" + engine.credentialsFile(),
                  RCLONE,
                  "--config="));
      command.addAll(List.of(arguments));
      return command;
    }

    /** An object, as that client names it. */
    String remote(String object) {
      return ":s3,provider=Other,env_auth=true,no_check_bucket=true,endpoint='%s':%s/%s"
          .formatted(engine.endpoint(), bucket, object);
    }
  }

  ObjectStores(Bench bench) {
    super(bench);
    this.bench = bench;
  }

  /** A storage element with TLS and its object store, where both run. */
  Optional<Store> store() throws IOException {
    return store(DOOR, StaithePeer.Variant.CONSCRYPT, "one");
  }

  /** One without TLS, beside it; it runs where figures count. */
  Optional<Store> plain() throws IOException {
    return bench.form() == Form.SMOKE
        ? Optional.empty()
        : store(PLAIN, StaithePeer.Variant.PLAIN, "two");
  }

  private Optional<Store> store(String name, StaithePeer.Variant variant, String bucket)
      throws IOException {
    Optional<VersityPeer.Running> engine =
        server(
            VersityPeer.NAME,
            VersityPeer.readiness(),
            folder -> VersityPeer.start(folder, bench.cores().client()));
    if (engine.isEmpty()) {
      return Optional.empty();
    }
    VersityPeer.Running running = engine.get();
    Path own = bench.files().folder().resolve(name + "-state").resolve("data");
    var peer =
        new StaithePeer(
            bench.site().repository(),
            variant,
            name,
            Areas.of(
                Areas.folder(
                    Files.createDirectories(own),
                    "store: s3",
                    "s3:",
                    "  endpoint: " + running.endpoint(),
                    "  bucket: " + bucket,
                    "  credentials-file: \"" + running.credentialsFile() + "\"",
                    "  redirect-from: 1MB")));
    return server(peer, bench.cores().server()).map(door -> new Store(name, door, running, bucket));
  }

  /**
   * Puts an object into the bucket, by the storage element.
   *
   * @return its name
   */
  String give(Store store, long bytes) throws IOException {
    String name = "object-" + bytes;
    if (!Files.exists(store.objects().resolve(name))) {
      Outcome put =
          bench.perform(bench.request(store.door(), store.how(), "PUT", name).body(bytes));
      if (put.errors() > 0) {
        throw new IOException("no object can be put: " + put.failure());
      }
    }
    return name;
  }
}
