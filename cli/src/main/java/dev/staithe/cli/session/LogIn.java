package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.campus.CampusOptions;
import dev.staithe.cli.campus.CampusSession;
import dev.staithe.cli.program.Profile;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code login}: at authn-service with an account there, or at slcs-service by a campus. */
@Command(
    name = "login",
    mixinStandardHelpOptions = true,
    description = {
      "Logs in and keeps the session for further commands: with an account of authn-service, or with"
          + " --idp by a campus at slcs-service. Both sessions are kept side by side."
    })
public final class LogIn implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Option(names = "--url", description = "the service; default: that of the last such login")
  private @Nullable String url;

  @Option(
      names = "--trust",
      description = "PEM file or folder of trusted authorities; default: that of the last login")
  private @Nullable String trust;

  @Option(
      names = "--user",
      description =
          "default: the user's name on this machine; with --idp that of the last login, else asked")
  private @Nullable String user;

  @Option(names = "--json", description = "tells the session as JSON")
  private boolean json;

  @Mixin private CampusOptions options = new CampusOptions();

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    boolean again =
        url == null
            && user == null
            && staithe.profile().read().isEmpty()
            && staithe.profile().campus().isPresent();
    return options.provider != null || again ? byCampus(staithe) : byAccount(staithe);
  }

  private int byCampus(StaitheCommand staithe) throws IOException {
    try (var session =
        CampusSession.open(
            staithe.profile(), staithe.terminal(), staithe.clock(), options, url, trust, user)) {
      JsonNode who = session.login(user);
      if (json) {
        staithe.out().println(who.toPrettyString());
      } else {
        staithe.out().println("logged in as " + WhoAmI.line(who));
      }
      return 0;
    }
  }

  private int byAccount(StaitheCommand staithe) throws IOException {
    // With an address nothing that is kept counts, and may be damaged.
    var none = new Profile.Login("", "", "");
    Profile.Login last = url == null ? staithe.profile().read().orElse(none) : none;
    String address = url == null ? last.url() : url;
    String authorities = trust != null ? trust : url == null ? last.trust() : "";
    String name = user == null ? System.getProperty("user.name") : user;
    if (address.isEmpty()) {
      throw new IOException("which service? staithe login --url URL [--idp NAME]");
    }
    try (Service service = Service.at(address, authorities, null, staithe.clock())) {
      JsonNode answer = service.send("POST", "json/authenticate", null);
      String file = options.passwordFile;
      String password =
          file == null
              ? staithe.terminal().secret("Password of " + name)
              : staithe.terminal().secretOf(file, "password");
      answer = service.send("POST", "json/authenticate", filled(answer, name, password));
      if (answer.has("authId")) {
        answer =
            service.send(
                "POST", "json/authenticate", filled(answer, staithe.terminal().secret("Code")));
      }
      String token = answer.path("tokenId").asString("");
      if (token.isEmpty()) {
        throw new IOException(address + " gave no token");
      }
      staithe.profile().write(new Profile.Login(address, authorities, token));
      if (json) {
        var told = new LinkedHashMap<String, Object>();
        told.put("username", name);
        told.put("url", address);
        staithe.json(told);
      } else {
        staithe.out().println("logged in as " + name + " at " + address);
      }
      return 0;
    }
  }

  private static Object filled(JsonNode question, String... values) {
    var callbacks = new ArrayList<Object>();
    for (int i = 0; i < values.length; i++) {
      JsonNode asked = question.path("callbacks").path(i);
      callbacks.add(
          Map.of(
              "type",
              asked.path("type").asString(""),
              "input",
              List.of(
                  Map.of(
                      "name",
                      asked.path("input").path(0).path("name").asString(""),
                      "value",
                      values[i]))));
    }
    return Map.of("authId", question.path("authId").asString(""), "callbacks", callbacks);
  }
}
