package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code staithe group}: who belongs to what. */
@Command(
    name = "group",
    mixinStandardHelpOptions = true,
    description = "Groups and their members.",
    subcommands = {
      GroupCommand.Listing.class,
      GroupCommand.Members.class,
      GroupCommand.Add.class,
      GroupCommand.Remove.class
    })
public final class GroupCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfGroup extends Administration {
    @ParentCommand private @Nullable GroupCommand groups;

    @Override
    final StaitheCommand program() {
      return required(required(groups).program);
    }
  }

  private abstract static class Membership extends OfGroup {
    @Parameters(index = "0", paramLabel = "GROUP", description = "as /physics/analysis")
    String group = "";

    @Parameters(index = "1", paramLabel = "USER", description = "the account's name")
    String user = "";
  }

  /** {@code group list}. */
  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists groups.")
  static final class Listing extends OfGroup {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      staithe.print(service.get("admin/groups"), "groups", json, "name", "members");
      return 0;
    }
  }

  /** {@code group members}. */
  @Command(name = "members", mixinStandardHelpOptions = true, description = "Lists members.")
  static final class Members extends OfGroup {
    @Parameters(paramLabel = "GROUP", description = "as /physics/analysis")
    private String group = "";

    @Option(names = "--after", description = "only names after this one, of which a page is listed")
    private String after = "";

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      JsonNode found =
          service.get(
              "admin/users?limit=%d&group=%s&after=%s"
                  .formatted(MOST_ACCOUNTS, Service.encoded(group), Service.encoded(after)));
      staithe.print(found, "users", json, "name", "displayName", "mail");
      noteMore(staithe, found);
      return 0;
    }
  }

  /** {@code group add}. */
  @Command(name = "add", mixinStandardHelpOptions = true, description = "Adds a user to a group.")
  static final class Add extends Membership {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(
          staithe,
          service.send("POST", "admin/groups/members", Map.of("group", group, "user", user)),
          user + " is in " + group);
      return 0;
    }
  }

  /** {@code group remove}. */
  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = "Takes a user out of a group.")
  static final class Remove extends Membership {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      String member =
          "admin/groups/members?group=" + Service.encoded(group) + "&user=" + Service.encoded(user);
      tell(staithe, service.delete(member), user + " is not in " + group);
      return 0;
    }
  }
}
