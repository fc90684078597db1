package dev.staithe.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The programs of this project's own that tests start. */
final class Checkout {
  private Checkout() {}

  /**
   * A program of the project by its path from the project's root, from whichever folder of it.
   *
   * @throws AssertionError where it is not there
   */
  static Path program(String path) {
    for (Path each = Path.of("").toAbsolutePath(); each != null; each = each.getParent()) {
      Path program = each.resolve(path);
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    throw new AssertionError(path + " is in no folder above " + Path.of("").toAbsolutePath());
  }
}
