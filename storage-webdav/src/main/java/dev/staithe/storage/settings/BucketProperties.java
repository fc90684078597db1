package dev.staithe.storage.settings;

import dev.staithe.s3.PartPlan;
import dev.staithe.s3.S3Endpoint;
import dev.staithe.service.Settings;
import dev.staithe.storage.exchange.DirectReading;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The bucket of an area that an object store keeps.
 *
 * @param endpoint where the object store is, a URL of https or http without a path; empty: none
 * @param region as the object store's own configuration has it
 * @param bucket which exists
 * @param prefix with which the keys of all files begin; may be empty
 * @param credentialsFile with an access key and its secret, in the form of the tools of object
 *     stores, for this user's eyes only
 * @param connections open at once
 * @param memory of uploads that are larger than a mebibyte, all together
 * @param redirectFrom of which size on a file's reader is sent on to the object store; null: none
 * @param redirectTo where clients reach the object store; empty: at {@code endpoint}
 * @param redirectClients products, as {@code User-Agent} begins with them, that follow and leave
 *     their token behind
 */
public record BucketProperties(
    @DefaultValue("") String endpoint,
    @DefaultValue("us-east-1") String region,
    @DefaultValue("") String bucket,
    @DefaultValue("") String prefix,
    @Nullable Path credentialsFile,
    @DefaultValue("256") int connections,
    @DefaultValue("128MB") DataSize memory,
    @Nullable DataSize redirectFrom,
    @DefaultValue("") String redirectTo,
    @DefaultValue({"rclone", "Mozilla"}) List<String> redirectClients) {

  private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "[::1]", "localhost");

  /** Checks the values where an area is kept there, and that there are none where not. */
  void check(boolean used) {
    if (!used) {
      Settings.require(endpoint.isEmpty(), "s3.endpoint", endpoint, "absent without store: s3");
      return;
    }
    try {
      address();
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSetting(
          "s3.endpoint", endpoint + " " + bucket, "where a bucket is: " + e.getMessage());
    }
    Settings.require(
        credentialsFile != null, "s3.credentials-file", "", "a file with an access key");
    Settings.requireFile(credentialsFile, "s3.credentials-file");
    Settings.requireWithin(connections, 8, 10_000, "s3.connections");
    Settings.require(
        buffers() >= 4 && memory.toBytes() <= 64L << 30, "s3.memory", memory, "64MB to 64GB");
    checkRedirects();
    Settings.require(
        !prefix.contains("//") && prefix.chars().allMatch(c -> c > 0x20 && c < 0x7f),
        "s3.prefix",
        prefix,
        "visible ASCII characters, without // in it");
  }

  private void checkRedirects() {
    boolean secret;
    try {
      S3Endpoint open = outside();
      secret = open.https() || THIS_MACHINE.contains(open.host());
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSetting(
          "s3.redirect-to", redirectTo, "where clients reach the bucket: " + e.getMessage());
    }
    if (redirectFrom != null) {
      Settings.require(
          redirectFrom.toBytes() >= 1 << 20, "s3.redirect-from", redirectFrom, "1MB or more");
      Settings.require(
          secret,
          redirectTo.isEmpty() ? "s3.endpoint" : "s3.redirect-to",
          redirectTo.isEmpty() ? endpoint : redirectTo,
          "https with s3.redirect-from: whoever sees the address may read the file");
    }
  }

  /** The bucket by the address at which this server reaches it. */
  public S3Endpoint address() {
    return S3Endpoint.of(URI.create(endpoint), region, bucket);
  }

  /** The bucket by the address at which clients reach it. */
  public S3Endpoint outside() {
    return redirectTo.isEmpty() ? address() : S3Endpoint.of(URI.create(redirectTo), region, bucket);
  }

  /** Whom GET sends on to the object store; null: nobody. */
  public @Nullable DirectReading direct() {
    return redirectFrom == null ? null : new DirectReading(redirectFrom.toBytes(), redirectClients);
  }

  /** How many parts of uploads are held in memory at once. */
  public int buffers() {
    return (int) (memory.toBytes() / PartPlan.BUFFER);
  }
}
