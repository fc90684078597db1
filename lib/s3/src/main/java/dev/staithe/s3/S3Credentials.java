package dev.staithe.s3;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * With what requests are signed. Its text does not tell the secrets.
 *
 * @param accessKey which is no secret
 * @param secretKey of the access key
 * @param sessionToken of credentials that end; empty for others
 */
public record S3Credentials(String accessKey, String secretKey, String sessionToken) {
  private static final int MOST_BYTES = 64 * 1024;

  /** Checks that these are words of a header field. */
  public S3Credentials {
    if (accessKey.isEmpty() || secretKey.isEmpty()) {
      throw new IllegalArgumentException("an access key and a secret key are needed");
    }
    for (String each : new String[] {accessKey, secretKey, sessionToken}) {
      if (!each.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
        throw new IllegalArgumentException("a key holds what is no visible ASCII character");
      }
    }
  }

  /**
   * Reads a file in the form that the tools of object stores share: lines of {@code
   * aws_access_key_id = …}, {@code aws_secret_access_key = …} and perhaps {@code aws_session_token
   * = …} below {@code [default]}, or below no heading.
   *
   * @throws IOException with one line, also where others than its owner could read it
   */
  public static S3Credentials read(Path file) throws IOException {
    Set<PosixFilePermission> open = new HashSet<>(Files.getPosixFilePermissions(file));
    open.removeAll(PosixFilePermissions.fromString("rwx------"));
    if (!open.isEmpty()) {
      throw new IOException(file + " can be read by others than its owner: chmod 600 " + file);
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " is too large for a file of credentials");
    }
    Map<String, String> found = new HashMap<>();
    boolean ours = true;
    for (String line :
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()) {
      String text = line.strip();
      int equals = text.indexOf('=');
      if (text.startsWith("[")) {
        ours = text.equals("[default]");
      } else if (ours && equals > 0 && !text.startsWith("#")) {
        found.put(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
      }
    }
    try {
      return new S3Credentials(
          found.getOrDefault("aws_access_key_id", ""),
          found.getOrDefault("aws_secret_access_key", ""),
          found.getOrDefault("aws_session_token", ""));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          file
              + " has no aws_access_key_id and aws_secret_access_key in [default] that can be used",
          e);
    }
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "S3Credentials[" + accessKey + "]";
  }
}
