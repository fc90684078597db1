package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.PersonOffer;
import dev.staithe.contracts.host.PropertyRule;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code staithe put}: a file to an area that has contracts with people. */
@Command(
    name = "put",
    mixinStandardHelpOptions = true,
    description =
        "Uploads a file under contract: offers it, compares what the server says of itself, and"
            + " brings it, by signatures of a person's certificate or proxy, or of a key that the"
            + " issuer of her login vouches for.")
public final class PutCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Mixin private ContractOptions options = new ContractOptions();

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "what is brought; the statement goes beside it")
  private Path file = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "URL",
      description = "where it goes, as https://p.example.org:8443/data/f")
  private String url = "";

  @Option(
      names = "--want",
      paramLabel = "RULE",
      description = "what the server must say of itself, as \"jurisdiction in [DE, NL]\"")
  private List<String> wanted = List.of();

  @Option(
      names = "--terms",
      paramLabel = "SHA256",
      description =
          "terms that it is given under, as sha256sum prints them; the server takes none"
              + " that it has not accepted")
  private String terms = "";

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    FileAddress address = FileAddress.of(url);
    Duration patience = options.patience();
    List<PropertyRule> rules = rules();
    String under = terms.toLowerCase(Locale.ROOT);
    if (!under.matches("([0-9a-f]{64})?")) {
      throw new IOException("--terms is no SHA-256 in hexadecimal");
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": no such file");
    }
    try (Proof proof = options.proof(file);
        ClientTls tls = options.tls(staithe);
        ContractOptions.Acting acting = options.acting(staithe, address, tls, "storage.modify:/")) {
      PersonOffer offer =
          PersonOffer.of(address.url().toString(), address.origin(), acting.signer());
      new ContractedUpload(
              acting.http(),
              address.url(),
              offer,
              new ContractedUpload.Terms(
                  acting.authorization(), acting.issuerKeys(), under, rules, patience))
          .of(file, proof)
          .forEach(staithe.out()::println);
      return 0;
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private List<PropertyRule> rules() throws IOException {
    List<PropertyRule> rules = new ArrayList<>();
    for (String each : wanted) {
      try {
        rules.add(PropertyRule.parse(each));
      } catch (IllegalArgumentException e) {
        throw new IOException("--want: " + e.getMessage(), e);
      }
    }
    return rules;
  }
}
