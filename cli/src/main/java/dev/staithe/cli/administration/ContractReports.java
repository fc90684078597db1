package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.Provenance;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.record.StatementFolder;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

/** What is told of contracts that were found: a list, all of one, and files for others. */
final class ContractReports {
  private ContractReports() {}

  private static JsonNode listed(List<Map<String, Object>> contracts) {
    return JsonMapper.shared().valueToTree(Map.of("contracts", contracts));
  }

  /** {@code contract list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists contracts by path, host and time, the newest first; verifies nothing.")
  static final class ListAll implements Callable<Integer> {
    @ParentCommand private @Nullable ContractCommand contract;
    @Mixin private ContractSearch search = new ContractSearch();

    @Option(names = "--json", description = "for scripts")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(contract).program();
      List<Map<String, Object>> rows = new ArrayList<>();
      for (ContractSearch.Found found : search.find(staithe)) {
        rows.add(found.entry().json());
      }
      staithe.print(
          listed(rows),
          "contracts",
          json,
          "time",
          "state",
          "size",
          "sender",
          "receiver",
          "url",
          "contract");
      return 0;
    }
  }

  /** {@code contract show}. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows contracts, and what each signature covers; verifies nothing.")
  static final class Show implements Callable<Integer> {
    @ParentCommand private @Nullable ContractCommand contract;
    @Mixin private ContractSearch search = new ContractSearch();

    @Parameters(paramLabel = "ID", arity = "1..*", description = "the contracts' ids")
    private List<String> ids = List.of();

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(contract).program();
      PrintWriter out = staithe.out();
      for (ContractSearch.Found found : search.whole(staithe, ids)) {
        found.entry().json().forEach((name, value) -> line(out, "", name, value));
        if (found.statements().isEmpty()) {
          out.println("statement: none yet");
        }
        for (Map.Entry<String, Statement> each : found.statements().entrySet()) {
          out.println(each.getKey());
          show(out, each.getValue());
        }
      }
      return 0;
    }

    private static void show(PrintWriter out, Statement statement) throws IOException {
      Map<String, Object> parts = exported(statement);
      line(out, "  ", "stated-by", parts.get("stated-by"));
      line(out, "  ", "stated", parts.get("stated"));
      line(out, "  ", "receipts", statement.receipts().size());
      for (String part : List.of("request", "answer", "receipt")) {
        if (parts.get(part) instanceof Map<?, ?> map && map.get("signed") instanceof List<?> all) {
          out.println("  " + part + " signs");
          all.forEach(signed -> out.println("    " + Page.printable(String.valueOf(signed))));
        }
      }
      line(out, "  ", "received", parts.get("received"));
    }

    private static void line(PrintWriter out, String indent, String name, @Nullable Object value) {
      out.println(indent + name + ": " + Page.printable(String.valueOf(value)));
    }
  }

  private static Map<String, Object> exported(Statement statement) throws IOException {
    try {
      return ContractEntry.exported(statement);
    } catch (BadSignature e) {
      throw new IOException("a statement cannot be read: " + e.line(), e);
    }
  }

  /** Of what kind an exported file is. */
  enum Format {
    /** As it was stated: what {@code contract verify} reads. */
    COSE,
    /** With its parts in the clear. */
    JSON,
    /** W3C PROV-JSON. */
    PROV
  }

  /** {@code contract export}. */
  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description = "Writes statements into files for others.")
  static final class Export implements Callable<Integer> {
    @ParentCommand private @Nullable ContractCommand contract;
    @Mixin private ContractSearch search = new ContractSearch();

    @Parameters(
        paramLabel = "ID",
        arity = "0..*",
        description = "the contracts' ids; without, all that the options find")
    private List<String> ids = List.of();

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description = "cose for contract verify, json, or prov (W3C PROV-JSON)")
    private Format format = Format.COSE;

    @Option(names = "--to", paramLabel = "FOLDER", description = "where the files go")
    private Path target = Path.of("");

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(contract).program();
      Map<String, Statement> statements = new LinkedHashMap<>();
      for (ContractSearch.Found found : search.whole(staithe, ids)) {
        if (found.statements().isEmpty()) {
          staithe.terminal().note(found.entry().id() + " has no statement yet");
        }
        statements.putAll(found.statements());
      }
      if (statements.isEmpty()) {
        throw new IOException("there is no statement to export");
      }
      Files.createDirectories(target.toAbsolutePath());
      for (Map.Entry<String, Statement> each : statements.entrySet()) {
        String name = each.getKey();
        String base = name.substring(0, name.length() - StatementFolder.OWN.length());
        Path file =
            target.resolve(
                switch (format) {
                  case COSE -> name;
                  case JSON -> base + ".json";
                  case PROV -> base + ".prov.json";
                });
        AtomicFile.write(file, content(each.getValue()), "rw-------");
        staithe.out().println(file);
      }
      return 0;
    }

    private byte[] content(Statement statement) throws IOException {
      return switch (format) {
        case COSE -> statement.encode();
        case JSON -> text(exported(statement));
        case PROV -> {
          try {
            yield text(Provenance.of(statement));
          } catch (BadSignature e) {
            throw new IOException("a statement cannot be read: " + e.line(), e);
          }
        }
      };
    }

    private static byte[] text(Map<String, ?> json) {
      return (JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n")
          .getBytes(StandardCharsets.UTF_8);
    }
  }
}
