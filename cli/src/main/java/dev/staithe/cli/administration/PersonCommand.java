package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.campus.CampusOptions;
import dev.staithe.cli.campus.CampusSession;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code person}: for operators of slcs-service, which identifiers are whose. */
@Command(
    name = "person",
    mixinStandardHelpOptions = true,
    description = "For operators of slcs-service: whose name and identifiers are whose.",
    subcommands = {
      PersonCommand.Find.class,
      PersonCommand.Link.class,
      PersonCommand.Provider.class
    })
public final class PersonCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfPeople implements Callable<Integer> {
    @ParentCommand private @Nullable PersonCommand people;

    @Mixin final CampusOptions options = new CampusOptions();

    final StaitheCommand staithe() {
      return required(required(people).program);
    }

    final JsonNode tell(String path, Map<String, String> told) throws IOException {
      try (var session = CampusSession.last(staithe(), options)) {
        return session.tell("POST", path, JsonMapper.shared().writeValueAsString(told));
      }
    }
  }

  /** {@code person find}. */
  @Command(
      name = "find",
      mixinStandardHelpOptions = true,
      description = "Lists who holds a name, by a part of it or of an identifier.")
  static final class Find extends OfPeople {
    @Parameters(paramLabel = "TEXT", description = "as ada@example.org")
    private String text = "";

    @Option(names = "--json", description = "as JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      JsonNode told;
      try (var session = CampusSession.last(staithe(), options)) {
        told = session.ask("GET", "people?q=" + Service.encoded(text));
      }
      if (json) {
        staithe().out().println(told.toPrettyString());
        return 0;
      }
      for (JsonNode each : told.path("people")) {
        staithe().out().println(Page.oneLine(each.path("name").asString("")));
        staithe()
            .out()
            .println(
                "  "
                    + Page.oneLine(
                        each.path("provider").asString("")
                            + " "
                            + each.path("person").asString("")));
        for (JsonNode identifier : each.path("identifiers")) {
          staithe()
              .out()
              .println(
                  "  "
                      + Page.oneLine(
                          identifier.path("kind").asString("")
                              + " "
                              + identifier.path("id").asString("")));
        }
      }
      return 0;
    }
  }

  /** {@code person link}. */
  @Command(
      name = "link",
      mixinStandardHelpOptions = true,
      description = "Says that an identifier is that of a person who holds a name.")
  static final class Link extends OfPeople {
    @Option(
        names = "--provider",
        required = true,
        paramLabel = "ENTITY-ID",
        description = "as staithe person find shows it")
    private String provider = "";

    @Option(
        names = "--person",
        required = true,
        paramLabel = "PERSON",
        description = "as staithe person find shows it behind the provider")
    private String person = "";

    @Parameters(
        index = "0",
        paramLabel = "KIND",
        description = "subject-id, pairwise-id, eduPersonUniqueId or eduPersonPrincipalName")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "ID", description = "as 4711@example.org")
    private String id = "";

    @Override
    public Integer call() throws IOException {
      tell("people/link", Map.of("provider", provider, "person", person, "kind", kind, "id", id));
      staithe().out().println("linked");
      return 0;
    }
  }

  /** {@code person provider}. */
  @Command(
      name = "provider",
      mixinStandardHelpOptions = true,
      description =
          "Says that an identity provider has another entityID: its people keep their names.")
  static final class Provider extends OfPeople {
    @Parameters(index = "0", paramLabel = "OLD", description = "the entityID until now")
    private String old = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "the entityID from now on")
    private String becomes = "";

    @Override
    public Integer call() throws IOException {
      JsonNode told = tell("people/provider", Map.of("provider", old, "becomes", becomes));
      staithe().out().println(told.path("people").asInt(0) + " people have moved");
      return 0;
    }
  }
}
