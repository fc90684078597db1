package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.contracts.signature.BadSignature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Which contracts are meant, and where they are looked for: at a storage element, by its operators,
 * or in a folder of statements, by anyone who was given them.
 */
final class ContractSearch {
  private static final int MOST_STATEMENTS = 1_000_000;

  /** What a server gives at once. */
  private static final int PAGE = 1000;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "the storage element that is asked; it answers where staithe.metrics.allow-from has us")
  private String url = "";

  @Option(names = "--trust", description = "a PEM file of its authorities")
  private String trust = "";

  @Option(
      names = "--from",
      paramLabel = "FOLDER",
      description = "a folder of statements, in place of --url")
  private @Nullable Path folder;

  @Option(
      names = "--path",
      description = "of the URL that was asked for: that file, or what is below")
  private String path = "";

  @Option(names = "--host", description = "one of the parties, as a.example:8443")
  private String host = "";

  @Option(names = "--since", description = "began then or later, as 2026-11-20T00:00:00Z")
  private String since = "";

  @Option(names = "--until", description = "began before")
  private String until = "";

  /**
   * A contract that was found.
   *
   * @param entry what it is found by
   * @param statements by the names that their files are to have; empty while there is none
   */
  record Found(ContractEntry entry, Map<String, Statement> statements) {}

  /** All that are meant, the newest first, in a folder with their statements. */
  List<Found> find(StaitheCommand staithe) throws IOException {
    Path statements = folder;
    if (statements != null) {
      return inFolder(statements, MOST_STATEMENTS).stream().filter(this::meant).toList();
    }
    try (Service service = service(staithe)) {
      return listed(service).stream().map(entry -> new Found(entry, Map.of())).toList();
    }
  }

  /** From the newest on, as many at once as the server gives. */
  private Set<ContractEntry> listed(Service service) throws IOException {
    Set<ContractEntry> all = new LinkedHashSet<>();
    String end = until;
    while (true) {
      String query =
          "?limit=%d&path=%s&host=%s&since=%s&until=%s"
              .formatted(
                  PAGE,
                  Service.encoded(path),
                  Service.encoded(host),
                  Service.encoded(since),
                  Service.encoded(end));
      JsonNode page = service.get(".staithe/contracts" + query).path("contracts");
      int before = all.size();
      Instant oldest = Instant.EPOCH;
      for (JsonNode each : page) {
        ContractEntry entry = entry(each);
        all.add(entry);
        oldest = entry.time();
      }
      if (page.size() < PAGE) {
        return all;
      }
      if (all.size() == before) {
        throw new IOException(
            "%d contracts or more began at %s: name --path or --host".formatted(PAGE, oldest));
      }
      // Those of that moment come again, as there may be more of it.
      end = oldest.plusMillis(1).toString();
    }
  }

  /** The same with all statements; or these alone. */
  List<Found> whole(StaitheCommand staithe, List<String> ids) throws IOException {
    if (folder != null) {
      List<Found> found =
          find(staithe).stream()
              .filter(each -> ids.isEmpty() || ids.contains(each.entry().id()))
              .toList();
      for (String id : ids) {
        if (found.stream().noneMatch(each -> each.entry().id().equals(id))) {
          throw new IOException("no statement in " + folder + " is of " + id);
        }
      }
      return found;
    }
    List<String> meant =
        ids.isEmpty() ? find(staithe).stream().map(each -> each.entry().id()).toList() : ids;
    List<Found> found = new ArrayList<>();
    try (Service service = service(staithe)) {
      for (String id : meant) {
        if (!ID.matcher(id).matches()) {
          throw new IOException(Page.oneLine(id) + " is no contract's id");
        }
        for (JsonNode each :
            service.get(".staithe/contracts/" + Service.encoded(id)).path("contracts")) {
          Map<String, Statement> statements = new LinkedHashMap<>();
          put(statements, id + StatementFolder.OWN, each.path("statement"));
          put(statements, id + StatementFolder.PARTNER, each.path("partner-statement"));
          found.add(new Found(entry(each), statements));
        }
      }
    }
    return found;
  }

  private Service service(StaitheCommand staithe) throws IOException {
    if (url.isEmpty()) {
      throw new ParameterException(required(spec).commandLine(), "--url or --from is missing");
    }
    instant(since);
    instant(until);
    return Service.at(url, trust, null, staithe.clock());
  }

  private boolean meant(Found found) {
    Instant time = found.entry().time();
    return (path.isEmpty() || found.entry().below(path))
        && found.entry().with(host)
        && (since.isEmpty() || !time.isBefore(instant(since)))
        && (until.isEmpty() || time.isBefore(instant(until)));
  }

  private Instant instant(String text) {
    try {
      return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          required(spec).commandLine(), "a time is as 2026-11-20T00:00:00Z");
    }
  }

  private static void put(Map<String, Statement> statements, String name, JsonNode encoded)
      throws IOException {
    if (encoded.isString()) {
      try {
        statements.put(name, Statement.parse(Base64.getDecoder().decode(encoded.asString())));
      } catch (BadSignature | IllegalArgumentException e) {
        throw new IOException("the server's answer has a statement that cannot be read", e);
      }
    }
  }

  private static ContractEntry entry(JsonNode json) throws IOException {
    try {
      return identified(
          new ContractEntry(
              json.path("contract").asString(""),
              json.path("state").asString(""),
              Instant.parse(json.path("time").asString("")),
              json.path("url").asString(""),
              json.path("sender").asString(""),
              json.path("receiver").asString(""),
              json.path("size").asLong(0),
              json.path("sha-256").asString("")),
          "the server's answer names no contract");
    } catch (DateTimeParseException e) {
      throw new IOException("the server's answer is of no storage element with contracts", e);
    }
  }

  /** Its id becomes a file's name. */
  private static ContractEntry identified(ContractEntry entry, String otherwise)
      throws IOException {
    if (!ID.matcher(entry.id()).matches()) {
      throw new IOException(otherwise);
    }
    return entry;
  }

  /**
   * One entry for each contract, though both sides' statements of it are there.
   *
   * @param most statements that are kept in memory
   * @throws IOException also where there are more: some of them are not all
   */
  static List<Found> inFolder(Path folder, int most) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is no folder");
    }
    Map<String, Found> found = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      int left = most;
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = file.getFileName().toString();
        boolean many = name.endsWith(StatementFolder.MANY);
        if (many || name.endsWith(StatementFolder.OWN)) {
          for (Statement statement : many ? StatementFolder.read(file) : List.of(read(file))) {
            if (left-- == 0) {
              throw new IOException(
                  "%s has more than %d statements: name a folder of some of them"
                      .formatted(folder, most));
            }
            add(found, file, statement);
          }
        }
      }
    }
    return found.values().stream()
        .sorted(Comparator.comparing((Found each) -> each.entry().time()).reversed())
        .toList();
  }

  private static Statement read(Path file) throws IOException {
    try {
      return Statement.parse(Files.readAllBytes(file));
    } catch (BadSignature e) {
      throw new IOException(file + " cannot be read: " + e.line(), e);
    }
  }

  /**
   * Named by its contract, as files of several folders may have one name. In a file of many, what a
   * host states stands before what its partner does.
   */
  private static void add(Map<String, Found> found, Path file, Statement statement)
      throws IOException {
    ContractEntry entry;
    try {
      entry = identified(ContractEntry.of(statement), file + " has a statement of no contract");
    } catch (BadSignature e) {
      throw new IOException(file + " cannot be read: " + e.line(), e);
    }
    Map<String, Statement> statements =
        found
            .computeIfAbsent(entry.id(), id -> new Found(entry, new LinkedHashMap<>()))
            .statements();
    String partner = entry.id() + StatementFolder.PARTNER;
    String name =
        file.toString().endsWith(StatementFolder.PARTNER)
            ? partner
            : entry.id() + StatementFolder.OWN;
    Statement before = statements.get(name);
    if (before == null || Arrays.equals(before.encode(), statement.encode())) {
      statements.put(name, statement);
    } else {
      statements.putIfAbsent(partner, statement);
    }
  }
}
