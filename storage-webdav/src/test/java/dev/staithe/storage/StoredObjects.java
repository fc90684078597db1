package dev.staithe.storage;

import dev.staithe.peers.ObjectEngine;
import dev.staithe.s3.ObjectBody;
import dev.staithe.s3.RenewedCredentials;
import dev.staithe.s3.S3Client;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.s3.S3Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What another tool of object stores sees in the bucket of an area. */
final class StoredObjects implements AutoCloseable {
  private final RenewedCredentials credentials;
  private final S3Client client;
  private final String prefix;

  /** Looks at the keys of that bucket which begin with that prefix. */
  StoredObjects(ObjectEngine engine, String bucket, String prefix) throws IOException {
    this.prefix = prefix;
    credentials =
        new RenewedCredentials(engine.credentialsFile(), Duration.ZERO, Clock.systemUTC());
    client =
        new S3Client(
            S3Endpoint.of(engine.endpoint(), "us-east-1", bucket),
            S3Settings.DEFAULT,
            credentials,
            (host, port) -> {
              throw new IllegalStateException("no TLS here");
            },
            Clock.systemUTC());
  }

  /** The bytes of the object behind a path; nothing where there is none. */
  Optional<byte[]> bytes(String path) throws IOException {
    Optional<ObjectBody> there = client.get(prefix + path);
    if (there.isEmpty()) {
      return Optional.empty();
    }
    try (ObjectBody body = there.get()) {
      ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(body.left()));
      for (ByteBuffer next = body.next(); next != null; next = body.next()) {
        all.put(next);
      }
      return Optional.of(all.array());
    }
  }

  /** The keys that begin with the path's, up to a thousand. */
  List<String> below(String path) throws IOException {
    return client.list(prefix + path, true, "", S3Client.PAGE).entries().stream()
        .map(each -> each.key())
        .toList();
  }

  @Override
  public void close() {
    client.close();
    credentials.close();
  }
}
