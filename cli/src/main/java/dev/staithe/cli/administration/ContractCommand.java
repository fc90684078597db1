package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.person.PersonAuthorities;
import dev.staithe.contracts.record.LogCopy;
import dev.staithe.contracts.record.Statement;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.TrustAnchors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code staithe contract}: statements of transfers under contract. */
@Command(
    name = "contract",
    mixinStandardHelpOptions = true,
    description = "Statements of transfers under contract.",
    subcommands = {
      ContractCommand.Verify.class,
      ContractReports.ListAll.class,
      ContractReports.Show.class,
      ContractReports.Export.class
    })
public final class ContractCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  StaitheCommand program() {
    return required(program);
  }

  /** {@code contract verify}. */
  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description =
          "Says who asked, who sent and who received which bytes under which terms, and whether"
              + " each of them signed that; asks nobody.")
  static final class Verify implements Callable<Integer> {
    @ParentCommand private @Nullable ContractCommand contract;

    @Parameters(paramLabel = "FILE", description = "the statement")
    private Path file = Path.of("");

    @Option(
        names = "--keys",
        required = true,
        paramLabel = "JWKS",
        description = "the contract keys of a party, as it publishes them; once for each")
    private List<Path> keys = List.of();

    @Option(
        names = "--log-key",
        required = true,
        paramLabel = "KEY",
        description = "the key of the log, as NAME+ID+KEY, or a file with it")
    private String logKey = "";

    @Option(
        names = "--trust",
        description =
            "a PEM file or folder of authorities, to judge the certificate of a person who received")
    private @Nullable Path trust;

    @Option(
        names = "--issuer-keys",
        paramLabel = "JWKS",
        description =
            "the keys of the issuer whose ID token vouches for a person, as it published them then")
    private @Nullable Path issuerKeys;

    @Option(
        names = "--log",
        paramLabel = "FOLDER",
        description =
            "a copy of the log, its checkpoint and tiles, to see that it was neither cut, forked nor"
                + " changed since it gave the receipt")
    private @Nullable Path copy;

    @Override
    public Integer call() throws IOException {
      var out = required(contract).program().out();
      Map<String, PartyKey> known = new HashMap<>();
      for (Path each : keys) {
        try {
          known.putAll(PartyKey.readSet(text(each)));
        } catch (ParseException e) {
          throw new IOException(each + " is no JWK set", e);
        }
      }
      LogVerifier log;
      try {
        Path named = Path.of(logKey);
        // A key has slashes and plus signs too; only what is there is a file.
        log = LogVerifier.parse(Files.isRegularFile(named) ? text(named).strip() : logKey);
      } catch (IllegalArgumentException e) {
        throw new IOException("--log-key: " + e.getMessage(), e);
      }
      byte[] statement = bytes(file);
      List<ContractAudit.Finding> findings =
          new ArrayList<>(new ContractAudit(known, log, vouching()).run(statement));
      if (copy != null) {
        findings.add(inCopy(new LogCopy(copy), statement, log));
      }
      findings.forEach(
          finding -> out.println((finding.good() ? "good  " : "BAD   ") + finding.line()));
      return findings.stream().allMatch(ContractAudit.Finding::good) ? 0 : 1;
    }

    private PersonAuthorities vouching() throws IOException {
      try {
        return PersonAuthorities.of(
            trust == null ? null : TrustAnchors.read(trust),
            issuerKeys == null ? null : text(issuerKeys));
      } catch (ParseException e) {
        throw new IOException(issuerKeys + " is no JWK set", e);
      }
    }

    private static ContractAudit.Finding inCopy(LogCopy copy, byte[] statement, LogVerifier log) {
      String line;
      boolean good = true;
      try {
        line = copy.verify(Statement.parse(statement), log);
      } catch (BadSignature bad) {
        line = bad.line();
        good = false;
      }
      return new ContractAudit.Finding(good, "copy of the log: " + line);
    }

    private static String text(Path file) throws IOException {
      return new String(bytes(file), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Path file) throws IOException {
      if (!Files.isReadable(file)) {
        throw new IOException(file + " cannot be read");
      }
      return Files.readAllBytes(file);
    }
  }
}
