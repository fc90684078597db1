package dev.staithe.cli.administration;

import dev.staithe.cli.program.Service;
import picocli.CommandLine.Parameters;

/** A name that a command is about. */
final class NameParameter {
  @Parameters(paramLabel = "NAME", description = "which")
  String name = "";

  String segment() {
    return Service.encoded(name);
  }
}
