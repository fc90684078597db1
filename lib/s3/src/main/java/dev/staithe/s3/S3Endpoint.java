package dev.staithe.s3;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One bucket of one engine, addressed by path: each engine that sites run takes that form, and none
 * needs names of its own in DNS for it.
 *
 * @param https whether by TLS
 * @param host name or address, IPv6 in brackets
 * @param port 1 to 65535
 * @param region as the engine's own configuration has it, {@code us-east-1} for most
 * @param bucket its name
 */
public record S3Endpoint(boolean https, String host, int port, String region, String bucket) {
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern REGION = Pattern.compile("[a-zA-Z0-9-]{1,64}");

  /** Checks the names. */
  public S3Endpoint {
    if (!BUCKET.matcher(bucket).matches()) {
      throw new IllegalArgumentException(
          "a bucket's name has 3 to 63 of a-z, 0-9, dots and hyphens: " + bucket);
    }
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException("no name of a region: " + region);
    }
  }

  /**
   * Of a URL with nothing but scheme, host and perhaps port.
   *
   * @throws IllegalArgumentException with one line where it is none
   */
  public static S3Endpoint of(URI url, String region, String bucket) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    boolean https = scheme.equals("https");
    if (!https && !scheme.equals("http")
        || url.getHost() == null
        || url.getRawUserInfo() != null
        || url.getRawQuery() != null
        || url.getRawFragment() != null
        || !(url.getRawPath().isEmpty() || url.getRawPath().equals("/"))) {
      throw new IllegalArgumentException(
          "an endpoint is a URL of http or https with a host, perhaps a port, and nothing else");
    }
    int port = url.getPort() >= 0 ? url.getPort() : https ? 443 : 80;
    return new S3Endpoint(https, url.getHost(), port, region, bucket);
  }

  /** Host and port for messages. */
  String hostPort() {
    return host + ":" + port;
  }

  /** The field {@code Host}. */
  String authority() {
    return port == (https ? 443 : 80) ? host : hostPort();
  }

  /** The path of a key, escaped; of the bucket for the empty key. */
  String path(String key) {
    return "/" + bucket + (key.isEmpty() ? "" : "/" + S3Text.escape(key, true));
  }
}
