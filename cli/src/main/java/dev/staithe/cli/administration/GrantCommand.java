package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code staithe grant}: applications that act for users. */
@Command(
    name = "grant",
    mixinStandardHelpOptions = true,
    description = "Applications that act for a user: list, end.",
    subcommands = {GrantCommand.Listing.class, GrantCommand.End.class})
public final class GrantCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfGrant extends Administration {
    @ParentCommand private @Nullable GrantCommand grants;

    @Override
    final StaitheCommand program() {
      return required(required(grants).program);
    }
  }

  /** {@code grant list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the applications that act for a user.")
  static final class Listing extends OfGrant {
    @Option(names = "--user", required = true, description = "for whom")
    private String user = "";

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      staithe.print(
          service.get("admin/grants?user=" + Service.encoded(user)),
          "grants",
          json,
          "id",
          "client",
          "scope",
          "since",
          "expires",
          "offline");
      return 0;
    }
  }

  /** {@code grant end}. */
  @Command(
      name = "end",
      mixinStandardHelpOptions = true,
      description = "Stops an application, by its id in the list.")
  static final class End extends OfGrant {
    @Mixin private final NameParameter grant = new NameParameter();

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(staithe, service.delete("admin/grants/" + grant.segment()), "ended");
      return 0;
    }
  }
}
