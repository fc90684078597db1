package dev.staithe.cli.session;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.campus.CampusOptions;
import dev.staithe.cli.campus.CampusSession;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;

/** {@code whoami}. */
@Command(
    name = "whoami",
    mixinStandardHelpOptions = true,
    description =
        "Tells whose session it is and how long it lasts; of both services, where there are.")
public final class WhoAmI implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Option(names = "--json", description = "as JSON, by service: account, campus")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    var told = new LinkedHashMap<String, Object>();
    try {
      ask(staithe, told);
    } finally {
      if (json && !told.isEmpty()) {
        staithe.json(told);
      }
    }
    return 0;
  }

  /** Each of them also where the other service is away, or knows us no longer. */
  private void ask(StaitheCommand staithe, Map<String, Object> told) throws IOException {
    boolean byCampus = CampusSession.isKnown(staithe);
    try {
      if (!byCampus || staithe.profile().read().isPresent()) {
        account(staithe, told);
      }
    } finally {
      if (byCampus) {
        campus(staithe, told);
      }
    }
  }

  private void account(StaitheCommand staithe, Map<String, Object> told) throws IOException {
    try (Service service = staithe.service()) {
      JsonNode info = service.send("POST", "json/sessions?_action=getSessionInfo", null);
      told.put("account", info);
      if (!json) {
        staithe
            .out()
            .printf(
                "%s, until %s, or %s if not used%n",
                info.path("username").asString(""),
                info.path("maxSessionExpirationTime").asString(""),
                info.path("maxIdleExpirationTime").asString(""));
      }
    }
  }

  private void campus(StaitheCommand staithe, Map<String, Object> told) throws IOException {
    try (var session = CampusSession.last(staithe, new CampusOptions())) {
      JsonNode who = session.who();
      told.put("campus", who);
      if (!json) {
        staithe.out().println(line(who));
      }
    }
  }

  /** Who it is by a campus, and how long. */
  static String line(JsonNode who) {
    return Page.oneLine(
        who.path("principalName").asString("")
            + " by "
            + who.path("providerName").asString("")
            + ", until "
            + seconds(who.path("until").asString("")));
  }

  /** A time without its fraction, which is of no use to people; what is none stays as it is. */
  private static String seconds(String time) {
    try {
      return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeParseException e) {
      return time;
    }
  }
}
