package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.QuoteFolder;
import dev.staithe.service.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs the programs of {@code tpm2-tools}: without a shell, with nothing of this service's
 * environment but the path of programs, for a limited time, in a folder of their own that holds
 * what they write. For one thread at a time.
 */
final class TpmTools {
  /** How long the rest of what a program that has ended wrote is waited for. */
  private static final Duration OUTPUT_AFTER_END = Duration.ofSeconds(1);

  private static final int LONGEST_OUTPUT = 16 * 1024;
  private static final int SHOWN = 200;
  private static final String ERROR = "ERROR: ";

  private final QuoteFolder folder;
  private final String tcti;
  private final Duration longest;

  /** A program is not there, which says nothing of the TPM. */
  static final class Missing extends IOException {
    private static final long serialVersionUID = 1L;

    private Missing(String program, IOException cause) {
      super(program + " cannot be started: is the package tpm2-tools installed?", cause);
    }
  }

  /**
   * Uses a TPM.
   *
   * @param folder that programs write to
   * @param tcti how the TPM is reached, as {@code device:/dev/tpmrm0}; empty: as the tools decide
   * @param longest that a program may take
   */
  TpmTools(QuoteFolder folder, String tcti, Duration longest) {
    this.folder = folder;
    this.tcti = tcti;
    this.longest = longest;
  }

  /**
   * Runs a program to its end.
   *
   * @throws Missing where it cannot be started
   * @throws IOException with one line where it fails or takes too long
   */
  void run(String program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program);
    command.addAll(arguments);
    if (!tcti.isEmpty()) {
      command.add("--tcti=" + tcti);
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.folder().toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(List.of("PATH"));
    // The tool says in a line of its own what it could not do.
    environment.put("TSS2_LOG", "all+NONE");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new Missing(program, e);
    }
    CompletableFuture<String> output = CommandOutput.text(process.getInputStream(), LONGEST_OUTPUT);
    try {
      // Not to be interrupted: a copy that is cancelled leaves the others their quote.
      boolean ended =
          process
              .onExit()
              .thenApply(end -> true)
              .completeOnTimeout(false, longest.toMillis(), TimeUnit.MILLISECONDS)
              .join();
      if (!ended) {
        throw new IOException(program + " did not end within " + longest.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        String said =
            output.completeOnTimeout("", OUTPUT_AFTER_END.toMillis(), TimeUnit.MILLISECONDS).join();
        throw new IOException(program + " ended with " + process.exitValue() + ": " + reason(said));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** What the tool complains of, of all that it and its libraries say. */
  private static String reason(String output) {
    String all =
        output
            .lines()
            .filter(line -> line.startsWith(ERROR))
            .map(line -> line.substring(ERROR.length()))
            .collect(Collectors.joining("; "));
    String line = AreaContracts.printable(all.isEmpty() ? output.strip() : all);
    return line.length() > SHOWN ? line.substring(0, SHOWN) : line;
  }
}
