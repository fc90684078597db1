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

/** {@code staithe client}: programs that ask for tokens (OAuth 2 clients). */
@Command(
    name = "client",
    mixinStandardHelpOptions = true,
    description = "OAuth 2 clients: add, change, list, new secret, remove.",
    subcommands = {
      ClientCommand.Listing.class,
      ClientCommand.Add.class,
      ClientCommand.Change.class,
      ClientCommand.Secret.class,
      ClientCommand.Remove.class
    })
public final class ClientCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfClient extends Administration {
    @ParentCommand private @Nullable ClientCommand clients;

    @Override
    final StaitheCommand program() {
      return required(required(clients).program);
    }
  }

  private abstract static class OfOne extends OfClient {
    @Mixin final NameParameter client = new NameParameter();
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

  /** What a client has that can be given and changed. */
  private static final class Details {
    @Option(names = "--display-name", description = "what the consent page calls it")
    private @Nullable String displayName;

    @Option(
        names = "--grant",
        description =
            "authorization_code, client_credentials, refresh_token, device_code or token_exchange;"
                + " as all lists: more than once for more, replaces what there was")
    private @Nullable List<String> grants;

    @Option(names = "--redirect-uri", description = "where codes go; compared exactly")
    private @Nullable List<String> redirectUris;

    @Option(names = "--scope", description = "what it may ask for")
    private @Nullable List<String> scopes;

    @Option(names = "--audience", description = "for which services")
    private @Nullable List<String> audiences;

    @Option(
        names = "--second-factor",
        negatable = true,
        description = "whether its users need a one-time code; by default they do not")
    private @Nullable Boolean secondFactor;

    @Option(names = "--logout-uri", description = "where browsers go after its logouts")
    private @Nullable List<String> logoutUris;

    @Option(
        names = "--consent",
        negatable = true,
        description = "whether users are asked before it gets a token; by default they are")
    private @Nullable Boolean consent;

    @Option(
        names = "--nonce",
        negatable = true,
        description = "a nonce does in place of PKCE, for a client that knows no PKCE")
    private @Nullable Boolean nonce;

    @Option(names = "--algorithm", description = "of its tokens: RS256 (default) or ES256")
    private @Nullable String algorithm;

    @Option(
        names = "--access-lifetime",
        description = "as PT30M, 1 minute to 6 hours; default PT1H")
    private @Nullable String accessLifetime;

    @Option(
        names = "--refresh-lifetime",
        description = "as P30D, 1 minute to 366 days from each use; default P30D")
    private @Nullable String refreshLifetime;

    Map<String, Object> fields() {
      var fields = new HashMap<String, Object>();
      putIfGiven(fields, "displayName", displayName);
      putIfGiven(fields, "grants", grants);
      putIfGiven(fields, "redirectUris", redirectUris);
      putIfGiven(fields, "scopes", scopes);
      putIfGiven(fields, "audiences", audiences);
      putIfGiven(fields, "secondFactor", secondFactor);
      putIfGiven(fields, "logoutUris", logoutUris);
      putIfGiven(fields, "consent", consent);
      putIfGiven(fields, "proofKey", nonce == null ? null : !nonce);
      putIfGiven(fields, "algorithm", algorithm);
      putIfGiven(fields, "accessLifetime", accessLifetime);
      putIfGiven(fields, "refreshLifetime", refreshLifetime);
      return fields;
    }

    private static void putIfGiven(
        Map<String, Object> fields, String name, @Nullable Object value) {
      if (value != null) {
        fields.put(name, value);
      }
    }
  }

  /** {@code client add}. */
  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Registers a client, with one --grant or more, and prints its secret, once.")
  static final class Add extends OfOne {
    @Mixin private final Details details = new Details();

    @Option(names = "--public", description = "has no secret, as a program on users' machines")
    private boolean open;

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      Map<String, Object> fields = details.fields();
      fields.put("id", client.name);
      fields.put("open", open);
      JsonNode answer = service.send("POST", "admin/clients", fields);
      String secret = answer.path("secret").asString("");
      tell(staithe, answer, secret.isEmpty() ? "added " + client.name : secret);
      return 0;
    }
  }

  /** {@code client change}. */
  @Command(
      name = "change",
      mixinStandardHelpOptions = true,
      description = "Changes what is given of a client; its secret stays.")
  static final class Change extends OfOne {
    @Mixin private final Details details = new Details();

    @Override
    Integer run(StaitheCommand staithe, Service service) throws IOException {
      Map<String, Object> fields = details.fields();
      if (fields.isEmpty()) {
        throw new IOException("nothing to change");
      }
      tell(
          staithe,
          service.send("PATCH", "admin/clients/" + client.segment(), fields),
          "changed " + client.name);
      return 0;
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
      tell(staithe, answer, answer.path("secret").asString(""));
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
      tell(staithe, service.delete("admin/clients/" + client.segment()), "removed " + client.name);
      return 0;
    }
  }
}
