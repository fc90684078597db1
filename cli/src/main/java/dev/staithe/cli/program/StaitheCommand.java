package dev.staithe.cli.program;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
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
    })
public final class StaitheCommand {
  private final Profile profile;
  private final Terminal terminal;
  private final Clock clock;

  /** With what all commands need. */
  public StaitheCommand(Profile profile, Terminal terminal, Clock clock) {
    this.profile = profile;
    this.terminal = terminal;
    this.clock = clock;
  }

  /** What is remembered between two calls. */
  public Profile profile() {
    return profile;
  }

  /** The time, as all commands take it. */
  public Clock clock() {
    return clock;
  }

  /** Where the person is asked and told. */
  public Terminal terminal() {
    return terminal;
  }

  /** Standard output. */
  public PrintWriter out() {
    return terminal.out();
  }

  /** The service with the session of the last login. */
  public Service service() throws IOException {
    Profile.Login login =
        profile.read().orElseThrow(() -> new IOException("not logged in: staithe login --url URL"));
    return Service.at(login.url(), login.trust(), login.token(), clock);
  }

  /** Prints rows below headings, or the answer itself for scripts. */
  public void print(JsonNode answer, String list, boolean json, String... columns) {
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
  public void json(Object answer) {
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

  /** What {@code --version} prints. */
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {line()};
    }

    public static String line() {
      String released = Version.class.getPackage().getImplementationVersion();
      return "staithe " + (released == null ? "unreleased" : released);
    }
  }

  /** Picocli sets what is injected before it calls. */
  public static <T> T required(@Nullable T injected) {
    return java.util.Objects.requireNonNull(injected);
  }
}
