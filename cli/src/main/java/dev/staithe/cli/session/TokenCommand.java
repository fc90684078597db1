package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.certificate.CredentialFile;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * {@code staithe token}: a token for a service, printed, or where grid tools look for one (WLCG
 * Bearer Token Discovery).
 */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a WLCG token for a service, for use in scripts: by the session of the last login, or"
          + " of another issuer, after a question in a browser."
    })
public final class TokenCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--scope",
      required = true,
      description = "as \"storage.read:/ storage.modify:/home\"")
  private String scope = "";

  @Option(
      names = "--audience",
      description = "the service, as https://storage.example.org:8443; not needed with --issuer")
  private String audience = "";

  @Option(
      names = "--file",
      arity = "0..1",
      fallbackValue = "",
      description =
          "writes it there, for oneself alone; without FILE to $BEARER_TOKEN_FILE,"
              + " $XDG_RUNTIME_DIR/bt_u<uid> or /tmp/bt_u<uid>, where grid tools look")
  private @Nullable String file;

  @Option(
      names = "--issuer",
      description = "an OpenID Connect issuer with a device flow, in place of the last login")
  private @Nullable String issuer;

  @Option(names = "--client", description = "as what this command is registered at --issuer")
  private @Nullable String client;

  @Option(names = "--trust", description = "a PEM file of authorities of --issuer")
  private String trust = "";

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    String token = token(staithe);
    if (file == null) {
      staithe.out().println(token);
      return 0;
    }
    Path target = file.isEmpty() ? discovered(staithe) : Path.of(file);
    CredentialFile.write(target, (token + "\n").getBytes(StandardCharsets.US_ASCII));
    staithe.out().println(target);
    return 0;
  }

  private String token(StaitheCommand staithe) throws IOException {
    if (issuer != null) {
      if (client == null) {
        throw new ParameterException(required(spec).commandLine(), "--issuer needs --client");
      }
      return new DeviceFlow(issuer, trust, client, staithe).token(scope, audience);
    }
    if (audience.isEmpty()) {
      throw new ParameterException(required(spec).commandLine(), "--audience is missing");
    }
    try (Service service = staithe.service()) {
      JsonNode answer =
          service.send("POST", "json/tokens", Map.of("scope", scope, "audience", audience));
      String token = answer.path("access_token").asString("");
      if (token.isEmpty()) {
        throw new IOException("the service gave no token: is that the address of authn-service?");
      }
      return token;
    }
  }

  private static Path discovered(StaitheCommand staithe) throws IOException {
    String named = staithe.profile().variable("BEARER_TOKEN_FILE");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    String runtime = staithe.profile().variable("XDG_RUNTIME_DIR");
    boolean own = !runtime.isEmpty() && Files.isDirectory(Path.of(runtime));
    return Path.of(own ? runtime : "/tmp", "bt_u" + staithe.profile().uid());
  }
}
