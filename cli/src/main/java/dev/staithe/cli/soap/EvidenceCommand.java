package dev.staithe.cli.soap;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.HashChain;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.wss.Findings;
import dev.staithe.wss.evidence.EvidenceFolder;
import dev.staithe.wss.evidence.KeptMessage;
import dev.staithe.wss.evidence.Verification;
import dev.staithe.wss.evidence.Verifier;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code staithe evidence}: signed messages that a gateway kept. */
@Command(
    name = "evidence",
    mixinStandardHelpOptions = true,
    description = "Signed messages that an xml-gateway kept.",
    subcommands = {
      EvidenceCommand.Find.class,
      EvidenceCommand.Show.class,
      EvidenceCommand.Verify.class
    })
public final class EvidenceCommand {
  private static final JsonMapper JSON = JsonMapper.shared();

  @ParentCommand private @Nullable StaitheCommand program;

  /** Which messages are meant; all where nothing is said. */
  static final class Search {
    @Parameters(paramLabel = "FOLDER", description = "the gateway's folder of evidence")
    private Path folder = Path.of("");

    @Option(names = "--subject", description = "who signed, or a part of the name")
    private String subject = "";

    @Option(names = "--endpoint", description = "where it came, as /payments")
    private String endpoint = "";

    @Option(names = "--operation", description = "a part of the body element's name, or the action")
    private String operation = "";

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "at or after, as 2026-11-21T12:00:00Z")
    private @Nullable Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "before")
    private @Nullable Instant to;

    @Option(
        names = "--id",
        description = "the message id of WS-Addressing, or a digest's beginning")
    private String id = "";

    private boolean fits(JsonNode line) {
      Instant at = Instant.parse(line.path("time").asString());
      return "message".equals(line.path("event").asString())
          && line.path("subject").asString("").contains(subject)
          && (endpoint.isEmpty() || endpoint.equals(line.path("endpoint").asString()))
          && (line.path("operation").asString("").contains(operation)
              || line.path("action").asString("").contains(operation))
          && (from == null || !at.isBefore(from))
          && (to == null || at.isBefore(to))
          && (id.isEmpty()
              || id.equals(line.path("message").asString())
              || line.path("sha256").asString().startsWith(id));
    }

    List<JsonNode> lines() throws IOException {
      List<JsonNode> found = new ArrayList<>();
      for (Path log : new EvidenceFolder(folder).logs()) {
        try (var lines =
            new BufferedReader(
                new InputStreamReader(HashChain.open(log), StandardCharsets.UTF_8))) {
          lines.lines().map(JSON::readTree).filter(this::fits).forEach(found::add);
        } catch (JacksonException | DateTimeException e) {
          throw new IOException(
              log + " has a line that no gateway writes: staithe evidence verify says which", e);
        }
      }
      return found;
    }

    /** The same, where one fits at least. */
    List<JsonNode> some() throws IOException {
      List<JsonNode> found = lines();
      if (found.isEmpty()) {
        throw new IOException("no message in " + folder + " is meant by that");
      }
      return found;
    }

    KeptMessage message(JsonNode line) throws IOException {
      return new EvidenceFolder(folder)
          .message(
              line.path("file").asString(),
              line.path("offset").asLong(),
              line.path("length").asInt(),
              line.path("sha256").asString());
    }
  }

  private static String headline(JsonNode line) {
    // What the signer is called, and what it asked for, are its own words.
    return "%s  %.12s  %s  %s  %s"
        .formatted(
            line.path("time").asString(),
            line.path("sha256").asString(),
            line.path("endpoint").asString(),
            Page.printable(line.path("subject").asString()),
            Page.printable(line.path("operation").asString("")));
  }

  /** {@code evidence list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Says which messages are there, one a line.")
  static final class Find implements Callable<Integer> {
    @ParentCommand private @Nullable EvidenceCommand evidence;
    @Mixin private Search search = new Search();

    @Option(names = "--json", description = "the lines of the log as they are")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(required(evidence).program);
      List<JsonNode> lines = search.some();
      lines.forEach(line -> staithe.out().println(json ? line.toString() : headline(line)));
      return 0;
    }
  }

  /** {@code evidence show}. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Prints the signed parts of the messages that are meant, as they were signed.")
  static final class Show implements Callable<Integer> {
    @ParentCommand private @Nullable EvidenceCommand evidence;
    @Mixin private Search search = new Search();

    @Override
    public Integer call() throws IOException {
      var out = required(required(evidence).program).out();
      for (JsonNode line : search.some()) {
        out.println(headline(line));
        for (Findings.Reference each : search.message(line).signature().references()) {
          out.println("  " + each.part() + " " + each.uri());
          out.println("    " + new String(each.octets(), StandardCharsets.UTF_8));
        }
      }
      return 0;
    }
  }

  /** {@code evidence verify}. */
  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = {
        "Verifies messages from nothing but the folder: that no line was changed or taken out"
            + " between the first and the last, whose numbers it tells, that each message is the"
            + " one that was kept, that its signature covers it, and that its signer was to be"
            + " believed when it came."
      })
  static final class Verify implements Callable<Integer> {
    @ParentCommand private @Nullable EvidenceCommand evidence;
    @Mixin private Search search = new Search();

    @Option(
        names = "--trust",
        paramLabel = "PATH",
        description = "authorities that count, instead of those that the gateway kept")
    private @Nullable Path trust;

    @Override
    public Integer call() throws IOException {
      var out = required(required(evidence).program).out();
      var folder = new EvidenceFolder(search.folder);
      HashChain.Verdict chain = HashChain.verify(folder.logs());
      if (chain instanceof HashChain.Verdict.Broken broken) {
        out.println(broken.file() + " line " + broken.line() + " " + broken.why());
        return 1;
      }
      TrustAnchors own = trust == null ? null : TrustAnchors.read(trust);
      int sound = 0;
      int unsound = 0;
      for (JsonNode line : search.lines()) {
        String wrong = judge(folder, line, own);
        if (wrong.isEmpty()) {
          sound++;
        } else {
          unsound++;
          out.println(headline(line) + ": " + wrong);
        }
      }
      out.printf("%d messages verified, %d not%s%n", sound, unsound, between(chain));
      return unsound == 0 && sound > 0 ? 0 : 1;
    }

    /** Of what was before the first line and behind the last the chain says nothing. */
    private static String between(HashChain.Verdict chain) {
      return chain instanceof HashChain.Verdict.Intact intact && intact.lines() > 0
          ? "; no line is missing from number " + intact.first() + " to " + intact.last().seq()
          : "";
    }

    private String judge(EvidenceFolder folder, JsonNode line, @Nullable TrustAnchors own) {
      try {
        KeptMessage message = search.message(line);
        Verification verification =
            Verifier.verify(
                message,
                own == null
                    ? folder.trust(message)
                    : new TrustAnchors(
                        own.certificates(), folder.trust(message).crls(), List.of()));
        return switch (verification) {
          case Verification.Valid(String subject) ->
              subject.equals(line.path("subject").asString())
                  ? ""
                  : "the line names another signer than " + subject;
          case Verification.Invalid(String why) -> why;
        };
      } catch (IOException e) {
        return String.valueOf(e.getMessage());
      }
    }
  }
}
