package dev.staithe.cli.storage;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code staithe transfers}: third-party copies of a storage element, live. */
@Command(
    name = "transfers",
    mixinStandardHelpOptions = true,
    description =
        "Third-party copies of a storage element that run, wait and have ended, and why they are"
            + " slow.",
    subcommands = {TransfersCommand.Cancel.class})
public final class TransfersCommand implements Callable<Integer> {
  private static final String DESK = ".staithe/transfers";

  /** Clears a terminal and goes to its upper left corner (ECMA-48 ED and CUP). */
  private static final String CLEAR = "\033[H\033[2J";

  @ParentCommand private @Nullable StaitheCommand program;
  @Spec private @Nullable CommandSpec spec;
  @Mixin private final StorageOptions storage = new StorageOptions();

  @Option(names = "--json", description = "as JSON")
  private boolean json;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2",
      paramLabel = "SECONDS",
      description = "again and again until it is interrupted; on a terminal in place; default 2")
  private @Nullable Integer seconds;

  @Option(names = "--times", paramLabel = "N", description = "looks so often, with --watch")
  private int times = Integer.MAX_VALUE;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    Integer pause = seconds;
    if (pause != null && (pause < 1 || pause > 3600)) {
      throw new ParameterException(required(spec).commandLine(), "--watch takes 1 to 3600 seconds");
    }
    try (Service service = storage.service(staithe)) {
      for (int looks = 1; ; looks++) {
        JsonNode answer = service.get(DESK);
        if (pause != null && !json && staithe.terminal().interactive()) {
          staithe.out().print(CLEAR);
        }
        show(staithe, answer);
        staithe.terminal().written();
        if (pause == null || looks >= times) {
          return 0;
        }
        TimeUnit.SECONDS.sleep(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private void show(StaitheCommand staithe, JsonNode answer) throws IOException {
    if (!answer.path("transfers").isArray()) {
      throw new IOException("the answer is of no storage element that tells of its transfers");
    }
    if (json) {
      staithe.print(answer, "", true);
      return;
    }
    staithe
        .out()
        .printf(
            "%d running, %d queued, %d ended%n",
            answer.path("running").asInt(0),
            answer.path("queued").asInt(0),
            answer.path("ended").asInt(0));
    for (String line : TransferTable.of(answer.path("transfers"))) {
      staithe.out().println(line);
    }
  }

  /** {@code transfers cancel}. */
  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Ends a copy that waits or runs, by its id in the list.")
  static final class Cancel implements Callable<Integer> {
    @ParentCommand private @Nullable TransfersCommand transfers;
    @Mixin private final StorageOptions storage = new StorageOptions();

    @Parameters(paramLabel = "ID", description = "of the copy")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      TransfersCommand above = required(transfers);
      StaitheCommand staithe = required(above.program);
      try (Service service = storage.or(above.storage).service(staithe)) {
        JsonNode answer = service.delete(DESK + "/" + Service.encoded(id));
        staithe
            .out()
            .println(
                "cancelled: "
                    + Page.printable(answer.path("direction").asString(""))
                    + " "
                    + Page.printable(answer.path("path").asString("")));
        return 0;
      }
    }
  }
}
