package dev.staithe.cli;

import static dev.staithe.cli.program.StaitheCommand.required;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code man}: one page of all commands, made of what {@code --help} is made of. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Prints the manual page, as man(1) reads it.")
final class ManCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec root = required(spec).root();
    root.commandLine().getOut().print(page(root));
    root.commandLine().getOut().flush();
    return 0;
  }

  /** In the macros of man(7). */
  private static String page(CommandSpec root) {
    var page = new StringBuilder();
    page.append(".TH STAITHE 1 \"\" \"").append(escaped(root.version()[0])).append("\"\n");
    page.append(".SH NAME\nstaithe \\- ").append(escaped(described(root))).append('\n');
    page.append(".SH SYNOPSIS\n.B staithe\nCOMMAND [OPTIONS]\n");
    page.append(".SH COMMANDS\n");
    commands(root, page);
    page.append(
        """
        .SH EXIT STATUS
        .TP
        0
        done
        .TP
        1
        refused or not possible, with one line on standard error that says what to change
        .TP
        2
        wrong arguments
        .SH ENVIRONMENT
        .TP
        STAITHECLI_HOME
        where sessions are kept, in place of ~/.config/staithe
        .TP
        JAVA_HOME
        the Java that runs the command, 25 or newer
        .TP
        X509_USER_PROXY, X509_USER_CERT, X509_CERT_DIR, BEARER_TOKEN, BEARER_TOKEN_FILE
        as grid tools take them
        """);
    return page.toString();
  }

  private static void commands(CommandSpec above, StringBuilder page) {
    for (var each : above.subcommands().values()) {
      CommandSpec command = each.getCommandSpec();
      page.append(".SS ").append(escaped(command.qualifiedName())).append('\n');
      page.append(escaped(synopsis(command))).append("\n.PP\n");
      page.append(escaped(described(command))).append('\n');
      var arguments = new ArrayList<ArgSpec>(command.positionalParameters());
      command.options().stream().filter(option -> !isStandard(option)).forEach(arguments::add);
      for (ArgSpec argument : arguments) {
        page.append(".TP\n").append(escaped(label(argument))).append('\n');
        page.append(escaped(String.join(" ", argument.description()))).append('\n');
      }
      commands(command, page);
    }
  }

  private static String synopsis(CommandSpec command) {
    return new Help(command, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0);
  }

  private static String described(CommandSpec command) {
    return String.join(" ", command.usageMessage().description());
  }

  /** Help and version, which every command has. */
  private static boolean isStandard(OptionSpec option) {
    return option.usageHelp() || option.versionHelp();
  }

  private static String label(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    String names = String.join(", ", List.of(option.names()));
    if (option.negatable()) {
      names = names.replace("--", "--[no-]");
    }
    return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
  }

  /** In one line, none of whose signs is a request of troff. */
  private static String escaped(String text) {
    String line =
        text.strip()
            .replaceAll("\\s+", " ")
            .replace("\\", "\\e")
            .replace("-", "\\-")
            .replace("\"", "\\(dq");
    return line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line;
  }
}
