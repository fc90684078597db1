package dev.staithe.peers.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout of this project that a test runs in. */
public final class Checkout {
  private static final String MARK = "perf/peers/ready.sh";

  private Checkout() {}

  /**
   * Its root, from whichever folder of it.
   *
   * @throws IllegalStateException where this is none
   */
  public static Path root() {
    for (Path each = Path.of("").toAbsolutePath(); each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(MARK))) {
        return each;
      }
    }
    throw new IllegalStateException(
        MARK + " is in no folder above " + Path.of("").toAbsolutePath());
  }
}
