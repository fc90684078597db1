package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The real {@code rclone}, with a WebDAV server as its remote {@code :webdav:}. */
public final class Rclone {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Map<String, String> environment = new HashMap<>();

  /**
   * What came of a command.
   *
   * @param exitCode 0 where all went well
   * @param output what it found
   * @param errors what it complained of
   */
  public record Result(int exitCode, String output, String errors) {}

  private Rclone(String url, @Nullable String token, @Nullable Path trusted) {
    environment.put("RCLONE_CONFIG", "/dev/null");
    environment.put("RCLONE_WEBDAV_URL", url);
    environment.put("RCLONE_WEBDAV_VENDOR", "other");
    environment.put("RCLONE_LOW_LEVEL_RETRIES", "1");
    environment.put("RCLONE_RETRIES", "1");
    if (token != null) {
      environment.put("RCLONE_WEBDAV_BEARER_TOKEN", token);
    }
    if (trusted != null) {
      environment.put("RCLONE_CA_CERT", trusted.toString());
    }
  }

  /** For a server that is open to anyone. */
  public static Rclone anonymous(String url, ThrowAwayAuthority authority) {
    return new Rclone(url, null, authority.certificateFile());
  }

  /** For a server that wants a bearer token, which goes by the environment. */
  public static Rclone withToken(String url, String token, ThrowAwayAuthority authority) {
    return new Rclone(url, token, authority.certificateFile());
  }

  /** Runs a command such as {@code copy /a/folder :webdav:folder}. */
  public Result run(String... arguments) {
    Program.Ran ran =
        Program.RCLONE.run(new ArrayList<>(List.of(arguments)), environment, new byte[0], LONGEST);
    return new Result(
        ran.exitCode(), new String(ran.output(), StandardCharsets.UTF_8), ran.errors());
  }
}
