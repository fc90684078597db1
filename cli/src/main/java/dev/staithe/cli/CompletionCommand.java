package dev.staithe.cli;

import static dev.staithe.cli.program.StaitheCommand.required;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints the completion of commands and options for bash.")
final class CompletionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec root = required(spec).root();
    root.commandLine().getOut().println(AutoComplete.bash(root.name(), root.commandLine()));
    return 0;
  }
}
