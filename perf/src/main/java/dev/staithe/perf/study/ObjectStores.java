package dev.staithe.perf.study;

import dev.staithe.perf.peers.Door;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.StaithePeer;
import dev.staithe.perf.peers.VersityPeer;
import dev.staithe.perf.scenario.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A storage element whose area is a bucket: on the server's core as all of ours, with its object
 * store on the driver's. Not thread-safe.
 */
final class ObjectStores implements AutoCloseable {
  /** The storage element. */
  static final String DOOR = "staithe-objects";

  private static final String RCLONE = "rclone";

  private final Bench bench;
  private final Parties parties;

  /** Both of them. */
  record Store(RunningPeer door, VersityPeer.Running engine) {
    /** Its CPU time is nobody's figure. */
    CpuTime between() {
      return Bench.cpu(engine.processes());
    }

    /** The command of a client that comes with many tools, and asks the object store itself. */
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
    String remote(String name) {
      return ":s3,provider=Other,env_auth=true,no_check_bucket=true,endpoint='%s':%s/%s"
          .formatted(engine.endpoint(), VersityPeer.BUCKET, name);
    }
  }

  ObjectStores(Bench bench) {
    this.bench = bench;
    this.parties = new Parties(bench);
  }

  /** Both, where they run. */
  Optional<Store> store() throws IOException {
    var engine =
        parties.server(
            VersityPeer.NAME,
            VersityPeer.Running.class,
            VersityPeer.NAME,
            VersityPeer.readiness(),
            folder -> VersityPeer.start(folder, bench.cores().client()));
    if (engine.isEmpty()) {
      return Optional.empty();
    }
    VersityPeer.Running running = engine.get();
    Path own = bench.files().folder().resolve(DOOR).resolve("data");
    var peer =
        new StaithePeer(
            bench.site().repository(),
            StaithePeer.Variant.CONSCRYPT,
            DOOR,
            List.of(),
            Areas.of(
                Areas.folder(
                    Files.createDirectories(own),
                    "store: s3",
                    "s3:",
                    "  endpoint: " + running.endpoint(),
                    "  bucket: " + VersityPeer.BUCKET,
                    "  credentials-file: \"" + running.credentialsFile() + "\"",
                    "  redirect-from: 1MB")));
    return parties
        .server(
            DOOR,
            RunningPeer.class,
            DOOR,
            peer.readiness(),
            folder -> peer.start(bench.site(), folder, bench.cores().server()))
        .map(door -> new Store(door, running));
  }

  /**
   * Puts an object into the bucket, by the storage element.
   *
   * @return its name
   */
  String give(Store store, long bytes) throws IOException {
    String name = "object-" + bytes;
    if (!Files.exists(store.engine().bucket().resolve(name))) {
      Outcome put =
          bench.perform(
              TaskDraft.of(bench.request(store.door(), Door.HTTPS, "PUT", name))
                  .body(bytes)
                  .task());
      if (put.errors() > 0) {
        throw new IOException("no object can be put: " + put.failure());
      }
    }
    return name;
  }

  @Override
  public void close() {
    parties.close();
  }
}
