package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code staithe get}: a file of an area whose files leave by contract only, for a person. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    description =
        "Downloads a file under contract: asks for it, and says that it came, by signatures of a"
            + " person's certificate or proxy, or of a key that the issuer of her login vouches"
            + " for.")
public final class GetCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Mixin private ContractOptions options = new ContractOptions();

  @Parameters(paramLabel = "URL", description = "the file, as https://p.example.org:8443/data/f")
  private String url = "";

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "where it goes; default: its own name, here. The statement goes beside it")
  private @Nullable Path to;

  @Option(
      names = "--accept-terms",
      paramLabel = "SHA256",
      description = "terms that one has read and agrees to, as sha256sum prints them")
  private List<String> terms = List.of();

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    FileAddress address = FileAddress.of(url);
    Path target = target(address.url());
    Duration patience = options.patience();
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(target + " is there already");
    }
    try (Proof proof = options.proof(target);
        ClientTls tls = options.tls(staithe);
        ContractOptions.Acting acting = options.acting(staithe, address, tls, "storage.read:/")) {
      PersonContract contract =
          PersonContract.of(address.url().toString(), address.origin(), acting.signer());
      ContractedDownload download =
          new ContractedDownload(
              acting.http(),
              address.url(),
              contract,
              new ContractedDownload.Offer(
                  acting.authorization(),
                  acting.issuerKeys(),
                  terms.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList(),
                  patience),
              staithe.clock());
      download.to(target, proof).forEach(staithe.out()::println);
      return 0;
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private Path target(URI address) throws IOException {
    if (to != null) {
      return to;
    }
    String path = address.getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || !name.equals(Page.printable(name))) {
      throw new IOException("which name is the file to have? --to FILE");
    }
    return Path.of(name);
  }
}
