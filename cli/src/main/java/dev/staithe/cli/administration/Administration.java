package dev.staithe.cli.administration;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** What every command about one thing of the administration has. */
abstract class Administration implements Callable<Integer> {
  @Option(names = "--json", description = "prints the service's answer as JSON")
  boolean json;

  /** The program above the group of commands. */
  abstract StaitheCommand program();

  abstract Integer run(StaitheCommand staithe, Service service) throws IOException;

  @Override
  public final Integer call() throws IOException {
    StaitheCommand staithe = program();
    try (Service service = staithe.service()) {
      return run(staithe, service);
    }
  }
}
