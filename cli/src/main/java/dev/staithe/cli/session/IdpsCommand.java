package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code idps}: by which campuses slcs-service lets people log in. */
@Command(
    name = "idps",
    mixinStandardHelpOptions = true,
    description = "Lists the campuses that staithe login --idp NAME takes.")
public final class IdpsCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Parameters(
      paramLabel = "WORD",
      description = "only those whose name or domain has all of these; default: all")
  private List<String> words = List.of();

  @Option(names = "--url", description = "slcs-service; default: that of the last such login")
  private @Nullable String url;

  @Option(
      names = "--trust",
      description = "PEM file or folder of trusted authorities; default: that of the last login")
  private @Nullable String trust;

  @Option(names = "--json", description = "prints the service's answer as JSON")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    Profile.Campus last = staithe.profile().campus().orElse(Profile.Campus.NONE);
    String address = url == null ? last.url() : url;
    if (address.isEmpty()) {
      throw new IOException("which service? staithe idps --url URL");
    }
    String known = address.equals(last.url()) ? last.trust() : "";
    try (Service service =
        Service.at(address, trust == null ? known : trust, null, staithe.clock())) {
      JsonNode answer =
          service.get("login/providers?q=" + Service.encoded(String.join(" ", words)));
      staithe.print(answer, "providers", json, "name", "displayName");
      if (answer.path("more").asBoolean(false)) {
        staithe.terminal().note("there are more: search for a part of the name");
      }
      if (answer.path("providers").isEmpty()) {
        throw new IOException("nothing is found: try a part of the name, or its domain");
      }
      return 0;
    }
  }
}
