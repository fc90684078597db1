package dev.staithe.cli.administration;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What every command about one thing of the administration has. */
abstract class Administration implements Callable<Integer> {
  @Option(names = "--json", description = "prints the service's answer as JSON")
  boolean json;

  /** What a service gives of accounts at once. */
  static final int MOST_ACCOUNTS = 1000;

  /** Says where an answer's accounts may not be all: a list that is cut looks like a whole one. */
  static void noteMore(StaitheCommand staithe, JsonNode answer) {
    JsonNode users = answer.path("users");
    if (users.size() >= MOST_ACCOUNTS) {
      String last = users.path(users.size() - 1).path("name").asString("");
      staithe.terminal().note("there may be more: --after " + Page.printable(last));
    }
  }

  /** Tells what was done: in a line, or by the service's answer where that is asked for. */
  final void tell(StaitheCommand staithe, JsonNode answer, String line) {
    staithe.out().println(json ? answer.toPrettyString() : line);
  }

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
