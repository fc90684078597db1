package dev.staithe.cli.certificate;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.ProxyFacts;
import dev.staithe.pki.grid.ProxySigner;
import dev.staithe.pki.grid.ProxySigning;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code proxy}: X.509 proxies (RFC 3820), made and looked at here, without any service. */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = "X.509 proxies (RFC 3820) of one's own certificate.",
    subcommands = {ProxyCommand.Init.class, ProxyCommand.Info.class})
public final class ProxyCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  /** {@code proxy init}. */
  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a key and signs a proxy for it with a certificate or another proxy. All goes into"
            + " one file, whose name is printed."
      })
  static final class Init implements Callable<Integer> {
    @ParentCommand private @Nullable ProxyCommand proxies;

    @Mixin private OwnCredential own = new OwnCredential();

    @Mixin private ProxyOptions options = new ProxyOptions();

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "default: $X509_USER_PROXY, or /tmp/x509up_u<uid>")
    private @Nullable Path out;

    @Option(
        names = "--key-type",
        description =
            "ec (P-256), rsa (2048 bits) or rsa-3072; default: as that of the certificate")
    private @Nullable String keyType;

    @Option(names = "--json", description = "tells what was made as JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(required(proxies).program);
      ProxyTerms terms = options.terms();
      KeyKind kind = keyType == null ? null : KeyTypes.read(keyType);
      Credential issuer = own.certificate(staithe);
      Path file = out == null ? staithe.profile().gridFile() : out;
      own.requireOther(file);
      RequestedKey made = RequestedKey.make(kind == null ? OwnCredential.kindOf(issuer) : kind);
      Credential proxy =
          switch (ProxySigner.sign(issuer, made.publicKey(), terms, staithe.clock())) {
            case ProxySigning.Signed(List<X509Certificate> chain) ->
                new Credential(made.key(), chain);
            case ProxySigning.Refused(String line) -> throw new IOException(line);
          };
      CredentialFile.write(file, proxy);
      ProxyReport.written(
          staithe,
          proxy,
          file,
          json,
          terms.lifetime(),
          "the certificate allows less than " + options.valid());
      return 0;
    }
  }

  /** {@code proxy info}. */
  @Command(
      name = "info",
      mixinStandardHelpOptions = true,
      description = "Shows a proxy; exit code 1 where it has ended or is about to.")
  static final class Info implements Callable<Integer> {
    @ParentCommand private @Nullable ProxyCommand proxies;

    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "default: $X509_USER_PROXY, or /tmp/x509up_u<uid>")
    private @Nullable Path file;

    @Mixin private ShownCertificate shown = new ShownCertificate();

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(required(proxies).program);
      shown.show(
          staithe,
          file == null ? staithe.profile().gridFile() : file,
          "proxy",
          "staithe proxy init makes",
          ProxyReport::of,
          chain -> ProxyFacts.of(chain).notAfter());
      return 0;
    }
  }
}
