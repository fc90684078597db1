package dev.staithe.cli.certificate;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.campus.CampusOptions;
import dev.staithe.cli.campus.CampusSession;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Service;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code cert}: a short-lived certificate by a campus login. */
@Command(
    name = "cert",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a key and gets a short-lived certificate for it; logs in by the campus first where that"
          + " is necessary. Without options all goes into one file, whose name is printed."
    },
    subcommands = {CertCommand.Info.class, CertCommand.Listing.class, CertCommand.Revoke.class})
public final class CertCommand implements Callable<Integer> {
  private static final Map<String, String> PEM =
      Map.of(
          "Content-Type", "application/x-pem-file",
          "Accept", "application/pem-certificate-chain, text/plain;q=0.9");

  @ParentCommand private @Nullable StaitheCommand program;

  @Option(names = "--url", description = "the slcs-service; default: that of the last login")
  private @Nullable String url;

  @Option(names = "--trust", description = "PEM file or folder of trusted authorities")
  private @Nullable String trust;

  @Option(names = "--user", description = "the user's name at the campus")
  private @Nullable String user;

  @Option(names = "--out", description = "file for the certificate, its chain and its key")
  private @Nullable Path out;

  @Option(names = "--key-out", description = "file for the key alone; --out then has no key")
  private @Nullable Path keyOut;

  @Option(
      names = "--ca-out",
      paramLabel = "FILE",
      description = "file for the authority, for others")
  private @Nullable Path authorityOut;

  @Option(names = "--x509up", description = "to /tmp/x509up_u<uid>, or to $X509_USER_PROXY if set")
  private boolean x509up;

  @Option(names = "--pkcs12", paramLabel = "FILE", description = "as PKCS#12, for browsers")
  private @Nullable Path pkcs12;

  @Option(
      names = "--pkcs12-password-file",
      paramLabel = "FILE",
      description = "its first line protects that; - for standard input; default: asked")
  private @Nullable String pkcs12PasswordFile;

  @Option(
      names = "--lifetime",
      description = "as 12h, 90m, 2d; default and upper limit are the site's")
  private @Nullable String lifetime;

  @Option(
      names = "--key-type",
      description = "ec (P-256), rsa (2048 bits) or rsa-3072; default: ec")
  private String keyType = "ec";

  @Option(names = "--json", description = "tells what was issued as JSON")
  private boolean json;

  @Mixin private CampusOptions options = new CampusOptions();

  @Override
  public Integer call() throws IOException {
    StaitheCommand staithe = required(program);
    KeyKind kind = KeyTypes.read(keyType);
    Duration wanted = lifetime == null ? Duration.ZERO : Lifetime.read(lifetime);
    if (keyOut != null && out == null) {
      throw new IOException("--key-out FILE needs --out FILE for the certificate");
    }
    var named = new HashSet<Path>();
    claim(named, out);
    claim(named, keyOut);
    claim(named, authorityOut);
    claim(named, pkcs12);
    staithe.profile().make();
    String secret = pkcs12 == null ? "" : pkcs12Password(staithe.terminal());
    try (CampusSession session = session(staithe, options)) {
      RequestedKey requested = RequestedKey.make(kind);
      staithe.terminal().progress("getting a certificate from " + session.campus().url());
      Page page =
          session.send(
              "POST",
              "certificates" + (wanted.isPositive() ? "?lifetime=" + wanted.toSeconds() + "s" : ""),
              requested.pem(),
              PEM);
      X509Certificate authority =
          Pem.parseCertificates(
                  session.send("GET", "ca.pem", null, PEM).body(), "the service's ca.pem")
              .getFirst();
      IssuedCertificate issued =
          IssuedCertificate.check(
              requested.key(), page.body(), authority, wanted, staithe.clock().instant());
      Path above = authorityOut;
      if (above != null) {
        try {
          Pem.writeCertificates(above, List.of(authority));
        } catch (IOException e) {
          throw CredentialFile.unwritable(above, e);
        }
      }
      tell(staithe, issued.certificate(), write(staithe, issued, secret), wanted);
      return 0;
    }
  }

  /** What is written last would be all that is in a file, and a key could be lost so. */
  private static void claim(Set<Path> named, @Nullable Path file) throws IOException {
    if (file != null && !named.add(file.toAbsolutePath().normalize())) {
      throw new IOException(file + " is named for two things, of which one would be lost");
    }
  }

  private CampusSession session(StaitheCommand staithe, CampusOptions said) throws IOException {
    return CampusSession.open(
        staithe.profile(), staithe.terminal(), staithe.clock(), said, url, trust, user);
  }

  private String pkcs12Password(Terminal terminal) throws IOException {
    String file = pkcs12PasswordFile;
    String secret =
        file == null
            ? terminal.newSecret("Password for " + pkcs12)
            : terminal.secretOf(file, "PKCS#12 password");
    if (secret.isEmpty()) {
      throw new IOException("the password for " + pkcs12 + " is empty");
    }
    return secret;
  }

  /** All files are written, or one line says which cannot be. */
  private List<Path> write(StaitheCommand staithe, IssuedCertificate issued, String secret)
      throws IOException {
    var files = new ArrayList<Path>();
    Path certificate = out;
    Path key = keyOut;
    if (certificate != null && key != null) {
      issued.write(certificate, key);
      files.add(certificate);
      files.add(key);
    } else if (certificate != null) {
      issued.write(certificate);
      files.add(certificate);
    }
    if (x509up) {
      Path file = staithe.profile().gridFile();
      issued.write(file);
      files.add(file);
    }
    Path store = pkcs12;
    if (store != null) {
      issued.writePkcs12(store, secret.toCharArray());
      files.add(store);
    }
    if (files.isEmpty()) {
      Path file = staithe.profile().certificate();
      issued.write(file);
      files.add(file);
    }
    return files;
  }

  private void tell(
      StaitheCommand staithe, X509Certificate certificate, List<Path> files, Duration wanted) {
    Instant now = staithe.clock().instant();
    if (json) {
      var told = new LinkedHashMap<String, Object>(described(certificate, now));
      told.put("files", files.stream().map(Path::toString).toList());
      staithe.json(told);
      return;
    }
    if (wanted.isPositive() && end(certificate).isBefore(now.plus(wanted).minusSeconds(60))) {
      staithe.terminal().note("the site gives less than " + lifetime);
    }
    files.forEach(file -> staithe.out().println(file));
    staithe
        .terminal()
        .progress(
            Names.slashed(certificate.getSubjectX500Principal())
                + " until "
                + ProxyReport.until(end(certificate)));
  }

  private static Map<String, Object> described(X509Certificate certificate, Instant now) {
    var told = new LinkedHashMap<String, Object>();
    told.put("subject", Names.slashed(certificate.getSubjectX500Principal()));
    told.put("issuer", Names.slashed(certificate.getIssuerX500Principal()));
    told.put("serial", certificate.getSerialNumber().toString(16));
    told.put("notBefore", certificate.getNotBefore().toInstant().toString());
    told.put("notAfter", ProxyReport.until(end(certificate)));
    told.put("secondsLeft", ProxyReport.secondsLeft(end(certificate), now));
    return told;
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  /** {@code cert info}. */
  @Command(
      name = "info",
      mixinStandardHelpOptions = true,
      description = "Shows a certificate; exit code 1 where it has ended or is about to.")
  static final class Info implements Callable<Integer> {
    @ParentCommand private @Nullable CertCommand certificates;

    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "default: the file that cert writes without options")
    private @Nullable Path file;

    @Mixin private ShownCertificate shown = new ShownCertificate();

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = required(required(certificates).program);
      shown.show(
          staithe,
          file == null ? staithe.profile().certificate() : file,
          "certificate",
          "staithe cert gets",
          (chain, now) -> described(chain.getFirst(), now),
          chain -> end(chain.getFirst()));
      return 0;
    }
  }

  private abstract static class OfCampus implements Callable<Integer> {
    @ParentCommand private @Nullable CertCommand certificates;

    @Option(names = "--json", description = "as JSON")
    boolean json;

    @Mixin private CampusOptions options = new CampusOptions();

    @Override
    public final Integer call() throws IOException {
      CertCommand above = required(certificates);
      StaitheCommand staithe = required(above.program);
      try (CampusSession session = above.session(staithe, options.or(above.options))) {
        run(staithe, session);
        return 0;
      }
    }

    abstract void run(StaitheCommand staithe, CampusSession session) throws IOException;
  }

  /** {@code cert list}. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the certificates that were issued to oneself.")
  static final class Listing extends OfCampus {
    @Override
    void run(StaitheCommand staithe, CampusSession session) throws IOException {
      staithe.print(
          session.ask("GET", "certificates"),
          "certificates",
          json,
          "serial",
          "subject",
          "notAfter",
          "revoked");
    }
  }

  /** {@code cert revoke}. */
  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = "Revokes a certificate of one's own, for instance after its key was lost.")
  static final class Revoke extends OfCampus {
    @Parameters(paramLabel = "SERIAL", description = "as cert info and cert list show it")
    private String serial = "";

    @Option(
        names = "--reason",
        description = "as key-compromise or superseded; default: unspecified")
    private String reason = "unspecified";

    @Override
    void run(StaitheCommand staithe, CampusSession session) throws IOException {
      session.ask(
          "DELETE",
          "certificates/" + Service.encoded(serial) + "?reason=" + Service.encoded(reason));
      if (json) {
        staithe.json(Map.of("revoked", serial));
      } else {
        staithe.out().println("revoked " + serial);
      }
    }
  }
}
