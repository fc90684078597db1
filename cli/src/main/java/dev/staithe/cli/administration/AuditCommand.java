package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.HashChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code staithe audit}: what services wrote down. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Audit logs of services.",
    subcommands = {AuditCommand.Verify.class})
public final class AuditCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  /** {@code audit verify}. */
  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = "Says whether a line was changed, taken out or put in, and which is the first.")
  static final class Verify implements Callable<Integer> {
    @ParentCommand private @Nullable AuditCommand audit;

    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description = "the log; with those of days before it, the oldest first")
    private List<Path> files = List.of();

    @Option(
        names = "--last",
        paramLabel = "HASH",
        description = "the last line's hash as it was written down elsewhere: finds a cut-off end")
    private String last = "";

    @Override
    public Integer call() throws IOException {
      var out = required(required(audit).program).out();
      for (Path file : files) {
        if (!Files.isReadable(file)) {
          throw new IOException(file + " cannot be read");
        }
      }
      return switch (HashChain.verify(files)) {
        case HashChain.Verdict.Broken broken -> {
          out.println(broken.file() + " line " + broken.line() + " " + broken.why());
          yield 1;
        }
        case HashChain.Verdict.Intact intact
            when !last.isEmpty() && !intact.last().hash().equals(last) -> {
          out.println("the last line has another hash: " + intact.last().hash());
          yield 1;
        }
        case HashChain.Verdict.Intact intact -> {
          out.printf(
              "intact: %d lines, numbers %d to %d, last hash %s%n",
              intact.lines(), intact.first(), intact.last().seq(), intact.last().hash());
          yield 0;
        }
      };
    }
  }
}
