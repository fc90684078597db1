package dev.staithe.perf.harness;

import dev.staithe.perf.peers.Site;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Areas of a storage element in place of its usual one: settings in YAML. */
public final class Areas {
  private Areas() {}

  /** All areas of a server. */
  public static String of(String... areas) {
    return "staithe:\n  areas:\n" + String.join("", areas);
  }

  /**
   * One whose name is that of its folder, and where everybody with a token may do everything.
   *
   * @param more settings of it, a line each
   */
  public static String folder(Path root, String... more) {
    return """
                - name: %s
                  root: "%s"
                  grants:
                    - issuer: %s
            """
            .formatted(root.getFileName(), root.toAbsolutePath(), Site.ISSUER)
        + Arrays.stream(more).map("      %s\n"::formatted).collect(Collectors.joining());
  }
}
