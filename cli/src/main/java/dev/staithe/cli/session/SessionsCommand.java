package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code sessions}. */
@Command(
    name = "sessions",
    mixinStandardHelpOptions = true,
    description = "Lists one's own sessions.")
public final class SessionsCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Option(names = "--json", description = "as JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    try (Service service = staithe.service()) {
      staithe.print(
          service.get("json/sessions"),
          "sessions",
          json,
          "id",
          "created",
          "lastUse",
          "expires",
          "address",
          "client");
      return 0;
    }
  }
}
