package dev.staithe.cli.administration;

import dev.staithe.cli.certificate.OwnCredential;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.delegation.client.Connections;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who a person is, and what she shows and states, where she gets or puts a file by contract. */
final class ContractOptions {
  @Mixin private OwnCredential own = new OwnCredential();

  @Option(
      names = "--trust",
      description = "PEM file or folder of authorities of the server; default as for delegate")
  private String trust = "";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "a token that permits it; - for standard input")
  private @Nullable String tokenFile;

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = "what one states of one's side, as jurisdiction=DE")
  private Map<String, String> properties = Map.of();

  @Option(
      names = "--stall",
      paramLabel = "SECONDS",
      description = "gives up where no byte moves for so long; default: ${DEFAULT-VALUE}")
  private int stall = 60;

  @Option(
      names = "--proof",
      paramLabel = "FILE",
      description =
          "where the statement goes, as FILE.cose, with the keys that verify it; default: beside"
              + " the file, by its name. No proof that is there is written over")
  private @Nullable Path proof;

  @Option(
      names = "--login",
      description =
          "signs by the login of staithe login, as it does where there is neither certificate nor"
              + " proxy")
  private boolean login;

  @Option(
      names = "--scope",
      description =
          "of the token that the login is asked for without --token-file; default: storage.read:/,"
              + " or storage.modify:/ for put")
  private @Nullable String scope;

  @Option(
      names = "--audience",
      description = "whom that token is for; default: the server, as https://p.example.org:8443")
  private String audience = "";

  /**
   * By whom a file is asked for or brought.
   *
   * @param signer of contracts
   * @param http connections, which show a certificate where it signs
   * @param authorization the field's value; empty: none
   * @param issuerKeys of the issuer that vouches for the signer; empty: none does
   */
  record Acting(PersonSigner signer, HttpClient http, String authorization, String issuerKeys)
      implements AutoCloseable {
    @Override
    public void close() {
      // The JDK waits for an answer that nobody reads any more, as one that is not believed.
      http.shutdownNow();
      http.close();
    }
  }

  /**
   * Who acts: by certificate where one is named or there is one, else by the login.
   *
   * @param usual scope of a token for that
   */
  Acting acting(StaitheCommand staithe, FileAddress address, ClientTls tls, String usual)
      throws IOException, BadSignature {
    String authorization = authorization(staithe);
    Optional<Credential> person = login ? Optional.empty() : own.proxyOrCertificateIfAny(staithe);
    if (person.isPresent()) {
      return new Acting(
          PersonSigner.byCertificate(person.get(), stated(), staithe.clock()),
          Connections.as(person.get(), tls),
          authorization,
          "");
    }
    String wanted = !authorization.isEmpty() ? "" : scope == null ? usual : scope;
    LoginVoucher voucher =
        LoginVoucher.ask(
            staithe,
            new LoginVoucher.Wish(
                wanted, audience.isEmpty() ? address.origin() : audience, stated()));
    return new Acting(
        voucher.signer(),
        Connections.anonymous(tls),
        authorization.isEmpty() ? "Bearer " + voucher.accessToken() : authorization,
        voucher.issuerKeys());
  }

  /**
   * Where the proof of a transfer goes.
   *
   * @param file that is brought or got
   * @throws IOException with one line, where it cannot go there
   */
  Proof proof(Path file) throws IOException {
    return Proof.of(proof == null ? file : proof);
  }

  /** How long no byte may move. */
  Duration patience() throws IOException {
    if (stall < 1) {
      throw new IOException("--stall is one second or more");
    }
    return Duration.ofSeconds(stall);
  }

  /** The value of {@code Authorization}; empty without a token. */
  private String authorization(StaitheCommand staithe) throws IOException {
    return tokenFile == null ? "" : "Bearer " + staithe.terminal().tokenOf(tokenFile);
  }

  ClientTls tls(StaitheCommand staithe) throws IOException {
    return ServerTrust.tls(ServerTrust.of(trust, staithe.profile()), staithe.clock());
  }

  private Map<String, Object> stated() {
    return new LinkedHashMap<>(properties);
  }
}
