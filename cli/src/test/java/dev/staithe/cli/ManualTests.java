package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The manual page and the completion are in step with what {@code --help} says. */
class ManualTests {
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final Set<String> STANDARD = Set.of("--help", "--version");

  @TempDir private Path folder;

  private CommandLine staithe(StringWriter out) {
    var writer = new PrintWriter(out, true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);
    return Commands.commandLine(new Profile(folder, Map.of()), terminal, Clock.systemUTC());
  }

  private String printed(String... arguments) {
    var out = new StringWriter();
    assertThat(staithe(out).execute(arguments)).isZero();
    return out.toString();
  }

  /** Every command by its words, and the options that its help lists. */
  private Map<String, Set<String>> commands() {
    var found = new TreeMap<String, Set<String>>();
    collect(staithe(new StringWriter()), found);
    return found;
  }

  private void collect(CommandLine above, Map<String, Set<String>> found) {
    for (CommandLine each : above.getSubcommands().values()) {
      String words = each.getCommandSpec().qualifiedName();
      List<String> help = new ArrayList<>(Arrays.asList(words.split(" ")));
      help.removeFirst();
      help.add("--help");
      // The words of a description that name an option of another command are further to the right.
      found.put(
          words,
          printed(help.toArray(String[]::new))
              .lines()
              .filter(line -> line.matches(" {2,6}-.*"))
              .map(line -> line.strip().split("[ =](?!-)")[0])
              .flatMap(line -> options(line).stream())
              .filter(option -> !STANDARD.contains(option))
              .collect(Collectors.toCollection(TreeSet::new)));
      collect(each, found);
    }
  }

  private static Set<String> options(String text) {
    return OPTION
        .matcher(text.replace("[no-]", ""))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void pageDescribesEveryCommandWithItsOptions() {
    String page = printed("man");

    assertThat(page).startsWith(".TH STAITHE 1 ");
    var described = new TreeMap<String, Set<String>>();
    for (String section : page.split("\n\\.S[SH] ")) {
      List<String> lines = section.lines().toList();
      if (lines.getFirst().startsWith("staithe ")) {
        described.put(
            lines.getFirst().replace("\\-", "-"),
            Stream.iterate(1, i -> i < lines.size(), i -> i + 1)
                .filter(i -> lines.get(i - 1).equals(".TP"))
                .flatMap(i -> options(lines.get(i).replace("\\-", "-")).stream())
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    }
    assertThat(described).isEqualTo(commands()).hasSizeGreaterThan(40);
    assertThat(described.get("staithe idps")).containsExactly("--json", "--trust", "--url");
  }

  @Test
  void aCommandByItselfIsTheOneAmongAll() {
    var all = staithe(new StringWriter()).getSubcommands();
    var writer = new PrintWriter(new StringWriter(), true);
    var terminal = new Terminal(null, new BufferedReader(new StringReader("")), writer, writer);

    all.forEach(
        (name, command) -> {
          CommandLine program =
              Commands.commandLine(
                  new Profile(folder, Map.of()), terminal, Clock.systemUTC(), name, "--help");
          boolean others = Set.of("man", "completion").contains(name);
          assertThat(program.getSubcommands()).containsKey(name).hasSize(others ? all.size() : 1);
          CommandLine alone = program.getSubcommands().get(name);
          assertThat(alone.getUsageMessage()).isEqualTo(command.getUsageMessage());
          assertThat(alone.getSubcommands().keySet()).isEqualTo(command.getSubcommands().keySet());
        });
  }

  @Test
  void noLineOfThePageIsTakenForARequestThatItIsNot() {
    assertThat(printed("man").lines().filter(line -> line.matches("[.'].*")))
        .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|B)( .*)?"));
  }

  @Test
  void bashCompletesEveryCommandWithItsOptions() throws IOException {
    Path completion = Files.writeString(folder.resolve("completion"), printed("completion"));
    Map<String, Set<String>> commands = commands();
    var asked = new StringBuilder(". '%s'\n".formatted(completion));
    commands.forEach(
        (words, options) ->
            asked.append(
                """
                COMP_WORDS=(%1$s --) COMP_CWORD=%2$d COMPREPLY=()
                _complete_staithe staithe -- 2>/dev/null
                echo "%1$s: ${COMPREPLY[*]}"
                """
                    .formatted(words, words.split(" ").length)));
    Path script = Files.writeString(folder.resolve("ask"), asked.toString());

    var completed = new TreeMap<String, Set<String>>();
    for (String line : Judge.content("bash", script.toString()).lines().toList()) {
      String[] parts = line.split(": ?", 2);
      Set<String> options = options(parts[1]);
      options.removeAll(STANDARD);
      completed.put(parts[0], options);
    }

    assertThat(completed).isEqualTo(commands).hasSizeGreaterThan(40);
  }
}
