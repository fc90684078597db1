package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code staithe user}: accounts of the relational user store. */
@Command(
    name = "user",
    mixinStandardHelpOptions = true,
    description = "Accounts: add, show, change, disable, remove.",
    subcommands = {
      UserCommand.Listing.class,
      UserCommand.Add.class,
      UserCommand.Show.class,
      UserCommand.Change.class,
      UserCommand.Password.class,
      UserCommand.Remove.class,
      UserCommand.CodeOff.class,
      UserCommand.LogOut.class
    })
public final class UserCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfUser extends Administration {
    @ParentCommand private @Nullable UserCommand users;

    @Override
    final StaitheCommand program() {
      return required(required(users).program);
    }
  }

  private abstract static class OfOne extends OfUser {
    @Mixin final NameParameter user = new NameParameter();

    final String path() {
      return "admin/users/" + user.segment();
    }
  }

  /** What an account has that can be given and changed. */
  private static final class Details {
    @Option(names = "--display-name", description = "as people write it")
    private @Nullable String displayName;

    @Option(names = "--mail", description = "mail address")
    private @Nullable String mail;

    @Option(
        names = "--group",
        description = "as /physics/analysis; more than once for more; replaces what there was")
    private @Nullable List<String> groups;

    Map<String, Object> fields() {
      var fields = new HashMap<String, Object>();
      if (displayName != null) {
        fields.put("displayName", displayName);
      }
      if (mail != null) {
        fields.put("mail", mail);
      }
      if (groups != null) {
        fields.put("groups", groups);
      }
      return fields;
    }
  }

  /** {@code user list}. */
  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists accounts.")
  static final class Listing extends OfUser {
    @Option(names = "--after", description = "only names after this one, of which a page is listed")
    private String after = "";

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      JsonNode found =
          service.get(
              "admin/users?limit=%d&after=%s".formatted(MOST_ACCOUNTS, Service.encoded(after)));
      staithe.print(
          found, "users", json, "name", "displayName", "mail", "enabled", "secondFactor", "groups");
      noteMore(staithe, found);
      return 0;
    }
  }

  /** {@code user add}. */
  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Adds an account; asks for its password.")
  static final class Add extends OfOne {
    @Mixin private final Details details = new Details();

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      Map<String, Object> fields = details.fields();
      fields.put("name", user.name);
      fields.put("password", staithe.terminal().newSecret("Password for " + user.name));
      tell(staithe, service.send("POST", "admin/users", fields), "added " + user.name);
      return 0;
    }
  }

  /** {@code user show}. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows an account, by its name or the subject of a token.")
  static final class Show extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      staithe.out().println(service.get(path()).toPrettyString());
      return 0;
    }
  }

  /** {@code user change}. */
  @Command(
      name = "change",
      mixinStandardHelpOptions = true,
      description = "Changes an account, its name too, disables or enables it.")
  static final class Change extends OfOne {
    @Mixin private final Details details = new Details();

    @Option(
        names = "--name",
        description = "another name for the user, whose subject in tokens stays; ends all sessions")
    private @Nullable String newName;

    @Option(names = "--enable", description = "lets the user log in again")
    private boolean enable;

    @Option(names = "--disable", description = "ends all sessions and refuses logins")
    private boolean disable;

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      if (enable && disable) {
        throw new IOException("--enable or --disable, not both");
      }
      Map<String, Object> fields = details.fields();
      if (newName != null) {
        fields.put("name", newName);
      }
      if (enable != disable) {
        fields.put("enabled", enable);
      }
      if (fields.isEmpty()) {
        throw new IOException("nothing to change");
      }
      tell(staithe, service.send("PATCH", path(), fields), "changed " + user.name);
      return 0;
    }
  }

  /** {@code user password}. */
  @Command(
      name = "password",
      mixinStandardHelpOptions = true,
      description = "Sets a password and ends all sessions of the user.")
  static final class Password extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      String password = staithe.terminal().newSecret("New password for " + user.name);
      tell(
          staithe,
          service.send("PUT", path() + "/password", Map.of("password", password)),
          "the password of " + user.name + " is set");
      return 0;
    }
  }

  /** {@code user remove}. */
  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = "Removes an account and ends its sessions.")
  static final class Remove extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(staithe, service.delete(path()), "removed " + user.name);
      return 0;
    }
  }

  /** {@code user code-off}. */
  @Command(
      name = "code-off",
      mixinStandardHelpOptions = true,
      description = "Takes a user's second factor away, as when the telephone is lost.")
  static final class CodeOff extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(staithe, service.delete(path() + "/code"), user.name + " has no second factor now");
      return 0;
    }
  }

  /** {@code user logout}. */
  @Command(
      name = "logout",
      mixinStandardHelpOptions = true,
      description = "Ends all sessions of a user.")
  static final class LogOut extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      tell(
          staithe,
          service.delete(path() + "/sessions"),
          "all sessions of " + user.name + " have ended");
      return 0;
    }
  }
}
