package dev.staithe.storage.objects;

import dev.staithe.peers.ObjectEngine;
import dev.staithe.s3.ListPage;
import dev.staithe.s3.PartUpload;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import dev.staithe.s3.UploadsPage;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;

/**
 * A bucket of an engine, areas in it, and what other programs do to it.
 *
 * @param endpoint where the engine is asked
 */
public record BucketFixture(URI endpoint, Path credentials) {
  /** Its name. */
  public static final String BUCKET = "bucket";

  private static final BiFunction<String, Integer, SSLEngine> NO_TLS =
      (host, port) -> {
        throw new IllegalStateException("no TLS here");
      };

  /** That of an engine which has it. */
  public static BucketFixture of(ObjectEngine engine) {
    return new BucketFixture(engine.endpoint(), engine.credentialsFile());
  }

  /** Another one than any before. */
  static String prefix() {
    return "area-" + UUID.randomUUID();
  }

  /** Opens an area with eight buffers. */
  ObjectStore open(String prefix, Path state) throws IOException {
    return open(prefix, state, 8);
  }

  /**
   * Opens an area.
   *
   * @param state the folder of the server that has it
   */
  ObjectStore open(String prefix, Path state, int buffers) throws IOException {
    return open(prefix, state, buffers, 64);
  }

  /** The same with so many connections with the engine. */
  ObjectStore open(String prefix, Path state, int buffers, int connections) throws IOException {
    return ObjectStore.open(
        new ObjectStore.Settings(
            bucket(),
            bucket(),
            prefix,
            credentials,
            Duration.ZERO,
            connections,
            buffers,
            state,
            Sync.NONE,
            false,
            100),
        NO_TLS,
        Clock.systemUTC());
  }

  private S3Endpoint bucket() {
    return S3Endpoint.of(endpoint, "us-east-1", BUCKET);
  }

  /** Another tool of object stores at the same bucket. */
  interface Other {
    void act(S3Client client) throws IOException;
  }

  void other(Other other) throws IOException {
    try (RenewedCredentials keys =
            new RenewedCredentials(credentials, Duration.ZERO, Clock.systemUTC());
        S3Client client =
            new S3Client(bucket(), S3Settings.DEFAULT, keys, NO_TLS, Clock.systemUTC())) {
      other.act(client);
    }
  }

  /** Uploads in parts that the engine has of an area. */
  public int engineUploads(String prefix) throws IOException {
    int[] count = new int[1];
    other(client -> count[0] = client.uploads(prefix + "/", null).uploads().size());
    return count[0];
  }

  /** Keys of an area that are no files: what its servers keep of their own, or have left. */
  public List<String> noFiles(String prefix) throws IOException {
    List<String> keys = new ArrayList<>();
    other(
        client ->
            client.list(prefix + "/.staithe/", true, "", S3Client.PAGE).entries().stream()
                .map(ListPage.Entry::key)
                .forEach(keys::add));
    return keys;
  }

  /** Sweeps as the server of that folder does, at a time by which no request could be signed. */
  public void sweep(String prefix, Path state, Clock clock) throws IOException {
    ObjectKeys keys = ObjectKeys.below(prefix);
    PartRecords records = new PartRecords(state.resolve(".staithe/uploads"), Sync.NONE, keys);
    other(client -> LeftBehind.sweep(client, keys, records, clock));
  }

  /** Somebody gives up the uploads of an area, and removes what is kept of them. */
  void loseUploads(String prefix) throws IOException {
    other(
        client -> {
          for (UploadsPage.Upload each : client.uploads(prefix + "/", null).uploads()) {
            client.abort(new PartUpload(each.key(), each.id(), ""));
          }
          client.delete(
              client.list(prefix + "/.staithe/uploads/", true, "", S3Client.PAGE).entries().stream()
                  .map(each -> each.key())
                  .toList());
        });
  }
}
