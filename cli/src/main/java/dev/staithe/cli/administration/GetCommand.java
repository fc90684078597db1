package dev.staithe.cli.administration;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.certificate.OwnCredential;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.PersonContract;
import dev.staithe.delegation.client.Connections;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            + " person's certificate or proxy.")
public final class GetCommand implements Callable<Integer> {
  @ParentCommand private @Nullable StaitheCommand program;

  @Mixin private OwnCredential own = new OwnCredential();

  @Parameters(paramLabel = "URL", description = "the file, as https://p.example.org:8443/data/f")
  private String url = "";

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "where it goes; default: its own name, here. The statement goes beside it")
  private @Nullable Path to;

  @Option(
      names = "--trust",
      description = "PEM file or folder of authorities of the server; default as for delegate")
  private String trust = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "a token that permits to read it; - for standard input")
  private @Nullable String tokenFile;

  @Option(
      names = "--accept-terms",
      paramLabel = "SHA256",
      description = "terms that one has read and agrees to, as sha256sum prints them")
  private List<String> terms = List.of();

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "what one states of where the file goes, as jurisdiction=DE")
  private Map<String, String> properties = Map.of();

  @Option(
      names = "--stall",
      paramLabel = "SECONDS",
      description = "gives up where no byte comes for so long; default: ${DEFAULT-VALUE}")
  private int stall = 60;

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    URI address = address();
    Path target = target(address);
    if (stall < 1) {
      throw new IOException("--stall is one second or more");
    }
    if (Files.exists(target)) {
      throw new IOException(target + " is there already");
    }
    String token = tokenFile == null ? "" : staithe.terminal().secretOf(tokenFile, "token").strip();
    Credential person = own.proxyOrCertificate(staithe);
    try (ClientTls tls =
            ServerTrust.tls(ServerTrust.of(trust, staithe.profile()), staithe.clock());
        HttpClient http = Connections.as(person, tls)) {
      PersonContract contract =
          PersonContract.of(
              address.toString(),
              origin(address),
              person,
              new LinkedHashMap<>(properties),
              staithe.clock());
      ContractedDownload download =
          new ContractedDownload(
              http,
              address,
              contract,
              new ContractedDownload.Offer(
                  token.isEmpty() ? "" : "Bearer " + token,
                  terms.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList(),
                  Duration.ofSeconds(stall)),
              staithe.clock());
      download.to(target).forEach(staithe.out()::println);
      return 0;
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  /** Without the port that https has anyway, which the client leaves out of {@code Host}. */
  private URI address() throws IOException {
    try {
      URI given = URI.create(url);
      if (given.getHost() == null || !"https".equals(given.getScheme())) {
        throw new IOException(Page.oneLine(url) + ": contracts are for https://HOST/PATH only");
      }
      String path = given.getRawPath().isEmpty() ? "/" : given.getRawPath();
      String query = given.getRawQuery() == null ? "" : "?" + given.getRawQuery();
      return URI.create(origin(given) + path + query);
    } catch (IllegalArgumentException e) {
      throw new IOException(Page.oneLine(url) + " is no URL", e);
    }
  }

  private static String origin(URI address) {
    String host = address.getHost().toLowerCase(Locale.ROOT);
    int port = address.getPort();
    return "https://" + host + (port < 0 || port == 443 ? "" : ":" + port);
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
