package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.campus.CampusOptions;
import dev.staithe.cli.campus.CampusSession;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code logout}. */
@Command(
    name = "logout",
    mixinStandardHelpOptions = true,
    description = {
      "Ends the session, here and everywhere; that by a campus too, whose own session is forgotten."
    })
public final class LogOut implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Option(names = "--all", description = "ends all other sessions of the same account too")
  private boolean all;

  @Option(
      names = "--session",
      description = "ends that one instead, by its id in: sessions",
      preprocessor = IdIsNoOption.class)
  private @Nullable String session;

  @Option(names = "--campus", description = "ends only the one by a campus")
  private boolean campusOnly;

  @Option(names = "--json", description = "tells what was ended as JSON")
  private boolean json;

  /** An id of a session may begin with a dash, and with a letter of an option behind it. */
  static final class IdIsNoOption implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> arguments,
        CommandSpec command,
        @Nullable ArgSpec option,
        Map<String, Object> known) {
      if (option == null || arguments.isEmpty() || !arguments.peek().matches("-[\\w-]{21}")) {
        return false;
      }
      option.setValue(arguments.pop());
      return true;
    }
  }

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    if (session != null) {
      try (Service service = staithe.service()) {
        service.send("POST", "json/sessions?_action=logout", Map.of("sessionId", session));
        tell(staithe, List.of("ended"));
        return 0;
      }
    }
    var lines = new ArrayList<String>();
    boolean byCampus = CampusSession.isKnown(staithe);
    if (campusOnly && !byCampus) {
      throw new IOException("not logged in: staithe login --idp NAME --url URL");
    }
    try {
      end(staithe, byCampus, lines);
    } finally {
      if (!lines.isEmpty()) {
        tell(staithe, lines);
      }
    }
    return 0;
  }

  /** Each of them also where the other service is away, or what is kept of its session damaged. */
  private void end(StaitheCommand staithe, boolean byCampus, List<String> lines)
      throws IOException {
    try {
      if (!campusOnly && (!byCampus || staithe.profile().read().isPresent())) {
        lines.add(account(staithe));
      }
    } finally {
      if (byCampus) {
        lines.add(campus(staithe));
      }
    }
  }

  private String account(StaitheCommand staithe) throws IOException {
    String line = "logged out";
    try (Service service = staithe.service()) {
      service.send("POST", "json/sessions?_action=" + (all ? "logoutAll" : "logout"), null);
    } catch (Service.Refusal e) {
      if (e.status() != 401) {
        throw e;
      }
      if (all) {
        throw new IOException(
            "the session had ended already, and ends no others: staithe login, then logout --all",
            e);
      }
      line = "the session had ended already";
    }
    staithe.profile().forget();
    return line;
  }

  private static String campus(StaitheCommand staithe) throws IOException {
    try (var session = CampusSession.last(staithe, new CampusOptions())) {
      return session.end()
          ? "logged out of " + session.campus().url()
          : "the session at " + session.campus().url() + " had ended already";
    }
  }

  private void tell(StaitheCommand staithe, List<String> lines) {
    if (json) {
      staithe.json(Map.of("done", lines));
    } else {
      lines.forEach(staithe.out()::println);
    }
  }
}
