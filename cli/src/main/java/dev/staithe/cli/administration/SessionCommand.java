package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code staithe session}: sessions of everybody. */
@Command(
    name = "session",
    mixinStandardHelpOptions = true,
    description = "Sessions of all users: list, end.",
    subcommands = {
      SessionCommand.Listing.class,
      SessionCommand.End.class,
      SessionCommand.EndAll.class
    })
public final class SessionCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfSession extends Administration {
    @ParentCommand private @Nullable SessionCommand sessions;

    @Override
    final StaitheCommand program() {
      return required(required(sessions).program);
    }
  }

  /** {@code session list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists sessions, newest first.")
  static final class Listing extends OfSession {
    /** What a service gives of everybody's. */
    private static final int MOST = 1000;

    @Option(names = "--user", description = "only of this user")
    private String user = "";

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      JsonNode found =
          service.get("admin/sessions?limit=%d&user=%s".formatted(MOST, Service.encoded(user)));
      staithe.print(
          found,
          "sessions",
          json,
          "id",
          "subject",
          "created",
          "lastUse",
          "expires",
          "address",
          "client");
      if (user.isEmpty() && found.path("sessions").size() >= MOST) {
        staithe.terminal().note("there may be older ones: --user shows all of one user");
      }
      return 0;
    }
  }

  /** An id of a session may begin with a dash, and with a letter of an option behind it. */
  static final class IdsAreNoOptions implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> arguments,
        CommandSpec command,
        @Nullable ArgSpec option,
        Map<String, Object> known) {
      if (arguments.contains("--")) {
        return false;
      }
      // The last argument lies at the bottom.
      List<String> ids =
          arguments.stream().filter(each -> each.matches("-[A-Za-z0-9_-]{21}")).toList();
      for (String id : ids) {
        arguments.remove(id);
        arguments.addFirst(id);
        arguments.add(1, "--");
      }
      return false;
    }
  }

  /** {@code session end}. */
  @Command(
      name = "end",
      mixinStandardHelpOptions = true,
      description = "Ends one session, by its id in the list.",
      preprocessor = IdsAreNoOptions.class)
  static final class End extends OfSession {
    @Mixin private final NameParameter session = new NameParameter();

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(staithe, service.delete("admin/sessions/" + session.segment()), "ended");
      return 0;
    }
  }

  /** {@code session end-all}. */
  @Command(
      name = "end-all",
      mixinStandardHelpOptions = true,
      description = "Ends every session of everybody, one's own too.")
  static final class EndAll extends OfSession {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(staithe, service.delete("admin/sessions"), "all sessions have ended");
      return 0;
    }
  }
}
