package dev.staithe.cli;

import static dev.staithe.cli.StaitheCommand.required;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code staithe client}: programs that ask for tokens (OAuth 2 clients). */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = "OAuth 2 clients: add, list, new secret, remove.",
    subcommands = {
      ClientCommand.Listing.class,
      ClientCommand.Add.class,
      ClientCommand.Secret.class,
      ClientCommand.Remove.class
    })
final class ClientCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfClient extends StaitheCommand.Administration {
    @ParentCommand private @Nullable ClientCommand clients;

    @Override
    final StaitheCommand program() {
      return required(required(clients).program);
    }
  }

  private abstract static class OfOne extends OfClient {
    @Mixin final StaitheCommand.Named client = new StaitheCommand.Named();
  }

  /** {@code client list}. */
  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists clients.")
  static final class Listing extends OfClient {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      staithe.print(
          service.get("admin/clients"),
          "clients",
          json,
          "id",
          "displayName",
          "grants",
          "scopes",
          "redirectUris",
          "secondFactor");
      return 0;
    }
  }

  /** {@code client add}. */
  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Registers a client and prints its secret, once.")
  static final class Add extends OfOne {
    @Option(names = "--display-name", description = "what the consent page calls it")
    private @Nullable String displayName;

    @Option(
        names = "--grant",
        required = true,
        description =
            "authorization_code, client_credentials, refresh_token, device_code or token_exchange;"
                + " more than once for more")
    private List<String> grants = List.of();

    @Option(names = "--redirect-uri", description = "where codes go; compared exactly")
    private List<String> redirectUris = List.of();

    @Option(names = "--scope", description = "what it may ask for; more than once for more")
    private List<String> scopes = List.of();

    @Option(names = "--audience", description = "for which services; more than once for more")
    private List<String> audiences = List.of();

    @Option(names = "--public", description = "has no secret, as a program on users' machines")
    private boolean open;

    @Option(names = "--second-factor", description = "its users need a one-time code")
    private boolean secondFactor;

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      var fields = new HashMap<String, Object>();
      fields.put("id", client.name);
      fields.put("displayName", displayName == null ? client.name : displayName);
      fields.put("grants", grants);
      fields.put("redirectUris", redirectUris);
      fields.put("scopes", scopes);
      fields.put("audiences", audiences);
      fields.put("open", open);
      fields.put("secondFactor", secondFactor);
      tell(staithe, service.send("POST", "admin/clients", fields));
      return 0;
    }

    private void tell(StaitheCommand staithe, JsonNode answer) {
      String secret = answer.path("secret").asString("");
      staithe.out().println(secret.isEmpty() ? "added " + client.name : secret);
    }
  }

  /** {@code client secret}. */
  @Command(
      name = "secret",
      mixinStandardHelpOptions = true,
      description = "Makes a new secret and prints it, once; the old one is no longer good.")
  static final class Secret extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      JsonNode answer = service.send("POST", "admin/clients/" + client.segment() + "/secret", null);
      staithe.out().println(answer.path("secret").asString(""));
      return 0;
    }
  }

  /** {@code client remove}. */
  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = "Removes a client and what was granted to it.")
  static final class Remove extends OfOne {
    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      service.delete("admin/clients/" + client.segment());
      staithe.out().println("removed " + client.name);
      return 0;
    }
  }
}
