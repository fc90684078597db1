package dev.staithe.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ScopeType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command {@code staithe}: sessions, tokens and certificates of one's own, and administration.
 */
@Command(
    name = "staithe",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = StaitheCommand.Version.class,
    description = {
      "Sessions, tokens, certificates, calls of SOAP services, and administration of a Staithe"
          + " site."
    },
    subcommands = {
      LogIn.class,
      LogOut.class,
      WhoAmI.class,
      IdpsCommand.class,
      TokenCommand.class,
      StaitheCommand.Code.class,
      StaitheCommand.Sessions.class,
      CertCommand.class,
      PersonCommand.class,
      ProxyCommand.class,
      DelegateCommand.class,
      SoapCommand.class,
      UserCommand.class,
      GroupCommand.class,
      ClientCommand.class,
      SessionCommand.class,
      GrantCommand.class,
      AuditCommand.class,
      EvidenceCommand.class,
      ManCommand.class,
      CompletionCommand.class
    })
final class StaitheCommand {
  private final Profile profile;
  private final Terminal terminal;
  private final Clock clock;

  private StaitheCommand(Profile profile, Terminal terminal, Clock clock) {
    this.profile = profile;
    this.terminal = terminal;
    this.clock = clock;
  }

  static CommandLine commandLine(Profile profile, Terminal terminal, Clock clock) {
    return new CommandLine(new StaitheCommand(profile, terminal, clock))
        .setOut(terminal.out())
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (!(failure instanceof IOException)) {
                throw failure;
              }
              command.getErr().println("staithe: " + failure.getMessage());
              return 1;
            });
  }

  Profile profile() {
    return profile;
  }

  Clock clock() {
    return clock;
  }

  Terminal terminal() {
    return terminal;
  }

  PrintWriter out() {
    return terminal.out();
  }

  /** The service with the session of the last login. */
  Service service() throws IOException {
    Profile.Login login =
        profile.read().orElseThrow(() -> new IOException("not logged in: staithe login --url URL"));
    return Service.at(login.url(), login.trust(), login.token(), clock);
  }

  /** Prints rows below headings, or the answer itself for scripts. */
  void print(JsonNode answer, String list, boolean json, String... columns) {
    if (json) {
      out().println(answer.toPrettyString());
      return;
    }
    var rows = new ArrayList<List<String>>();
    rows.add(List.of(columns));
    for (JsonNode each : answer.path(list)) {
      var row = new ArrayList<String>();
      for (String column : columns) {
        row.add(text(each.path(column)));
      }
      rows.add(row);
    }
    int[] widths = new int[columns.length];
    for (List<String> row : rows) {
      for (int i = 0; i < columns.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns.length; i++) {
        line.append(String.format("%-" + Math.max(1, widths[i]) + "s  ", row.get(i)));
      }
      out().println(line.toString().stripTrailing());
    }
  }

  /** Prints an answer of our own for scripts. */
  void json(Object answer) {
    out().println(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(answer));
  }

  private static String text(JsonNode value) {
    if (value.isArray()) {
      var parts = new ArrayList<String>();
      value.forEach(each -> parts.add(text(each)));
      return String.join(" ", parts);
    }
    return Page.printable(value.asString(""));
  }

  /** {@code code}. */
  @Command(
      name = "code",
      mixinStandardHelpOptions = true,
      description = "Sets one-time codes (TOTP) up as one's second factor.")
  static final class Code implements Callable<Integer> {
    @ParentCommand private @Nullable StaitheCommand program;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(program);
      try (Service service = staithe.service()) {
        Map<String, String> again = Map.of("password", staithe.terminal.secret("Password"));
        JsonNode begun = service.send("POST", "json/code?_action=begin", again);
        staithe.out().println("Give this to the program that shows codes:");
        staithe.out().println(begun.path("uri").asString(""));
        String code = staithe.terminal.secret("Code");
        JsonNode done = service.send("POST", "json/code?_action=confirm", Map.of("code", code));
        staithe.out().println("Set up. Recovery codes, each good once; keep them safe:");
        done.path("recoveryCodes").forEach(each -> staithe.out().println(each.asString("")));
        return 0;
      }
    }
  }

  /** {@code sessions}. */
  @Command(
      name = "sessions",
      mixinStandardHelpOptions = true,
      description = "Lists one's own sessions.")
  static final class Sessions implements Callable<Integer> {
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

  /** What {@code --version} prints. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String released = StaitheCommand.class.getPackage().getImplementationVersion();
      return new String[] {"staithe " + (released == null ? "unreleased" : released)};
    }
  }

  /** Picocli sets what is injected before it calls. */
  static <T> T required(@Nullable T injected) {
    return java.util.Objects.requireNonNull(injected);
  }

  /** What every command about one thing of the administration has. */
  abstract static class Administration implements Callable<Integer> {
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

  /** A name that a command is about. */
  static final class Named {
    @Parameters(paramLabel = "NAME", description = "which")
    String name = "";

    String segment() {
      return Service.encoded(name);
    }
  }
}
