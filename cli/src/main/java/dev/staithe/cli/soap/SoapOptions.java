package dev.staithe.cli.soap;

import dev.staithe.cli.certificate.OwnCredential;
import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.cli.program.Terminal;
import dev.staithe.http.BoundedFetch;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import dev.staithe.tls.ClientTls;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Prerequisites;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.PolicyOutcome;
import dev.staithe.wss.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** By which policy a SOAP service is called, and with what. */
final class SoapOptions {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_POLICY = 256 << 10;

  @Option(
      names = "--policy",
      paramLabel = "NAME|FILE",
      description = {
        "what the service demands: a file, or one that is built in (none, transport, x509,"
            + " conversation, encrypted-key, username, transport-username, conversation-username,"
            + " conversation-bearer); default: what it publishes at URL?policy"
      })
  private @Nullable String policy;

  @Option(
      names = "--algorithms",
      paramLabel = "LIST",
      description =
          "modern (SHA-256, GCM; default), or interop (what old standards prescribe, too)")
  private String algorithms = "modern";

  @Option(
      names = "--service-cert",
      paramLabel = "FILE",
      description =
          "the service's certificate for messages: they are encrypted for it, and only its"
              + " signature is believed")
  private @Nullable Path serviceCertificate;

  @Option(names = "--user", description = "a user's name, where the policy demands one")
  private @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "its password; - for standard input; default: asked")
  private @Nullable String passwordFile;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "a token of authn-service, where the policy demands one; - for standard input; default:"
              + " $BEARER_TOKEN, or the file $BEARER_TOKEN_FILE")
  private @Nullable String tokenFile;

  @Option(
      names = "--trust",
      paramLabel = "FILE",
      description =
          "PEM file or folder of trusted authorities for TLS; default: those of the Java runtime")
  private @Nullable Path trust;

  @Mixin private OwnCredential own = new OwnCredential();

  /** The address of a service. */
  static URI address(String text) throws IOException {
    try {
      URI url = URI.create(text);
      if (url.getHost() != null
          && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
        return url;
      }
    } catch (IllegalArgumentException tellBelow) {
      // told below
    }
    throw new IOException(Page.oneLine(text) + " is no address of a service");
  }

  /** TLS with the authorities that are named; null for those of the Java runtime. */
  @Nullable ClientTls tls(Clock clock) throws IOException {
    return trust == null ? null : ServerTrust.tls(trust, clock);
  }

  /** With one's certificate where the policy demands it there. */
  @Nullable SSLContext context(
      @Nullable ClientTls tls, EndpointPolicy demanded, StaitheCommand staithe) throws IOException {
    if (!Prerequisites.of(demanded).tlsCertificate()) {
      return tls == null ? null : tls.context();
    }
    if (tls == null) {
      throw new IOException("to show a certificate in TLS, --trust names the authorities");
    }
    return tls.contextAs(own.certificate(staithe));
  }

  /** The policy, with its document. */
  record FetchedPolicy(EndpointPolicy policy, byte[] document) {}

  /** The one that is named, else the one that the service publishes. */
  FetchedPolicy policy(URI service, @Nullable ClientTls tls) throws IOException {
    AlgorithmList list = list();
    String named = policy;
    byte[] document;
    String from;
    if (named == null) {
      from = service + "?policy";
      document = published(service, tls);
    } else if (BuiltInPolicies.has(named)) {
      from = named;
      document = BuiltInPolicies.document(named, list);
    } else {
      from = named;
      document = file(Path.of(named));
    }
    return switch (PolicyReader.read(document, list)) {
      case PolicyOutcome.Accepted(EndpointPolicy read) -> new FetchedPolicy(read, document);
      case PolicyOutcome.Refused(String line) ->
          throw new IOException(Page.oneLine(from) + ": " + line);
    };
  }

  private AlgorithmList list() throws IOException {
    return switch (algorithms.toLowerCase(Locale.ROOT)) {
      case "modern" -> AlgorithmList.MODERN;
      case "interop" -> AlgorithmList.INTEROP;
      default ->
          throw new IOException("--algorithms " + Page.oneLine(algorithms) + ": modern or interop");
    };
  }

  private static byte[] file(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          Page.oneLine(file.toString()) + " is neither a file nor a policy that is built in");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MOST_POLICY + 1);
    }
  }

  /** Whoever can change it on the way could make it say that nothing is to be protected. */
  private static byte[] published(URI service, @Nullable ClientTls tls) throws IOException {
    if (!Addresses.isSafe(service)) {
      throw new IOException("a policy is fetched over https only; --policy names one");
    }
    try (HttpClient client = BoundedFetch.client(tls == null ? null : tls.context(), PATIENCE)) {
      HttpResponse<byte[]> answer =
          new BoundedFetch(client, PATIENCE, MOST_POLICY + 1)
              .send(HttpRequest.newBuilder(URI.create(service + "?policy")).build());
      if (answer.statusCode() != 200) {
        throw new IOException(service + "?policy answers HTTP " + answer.statusCode());
      }
      return answer.body();
    }
  }

  /** What the policy demands to be shown, and nothing else: nobody is asked for more. */
  Holder holder(EndpointPolicy demanded, StaitheCommand staithe) throws IOException {
    Prerequisites wanted = Prerequisites.of(demanded);
    Credential credential = wanted.certificate() ? own.certificate(staithe) : null;
    return new Holder(
        credential,
        wanted.service() ? service() : null,
        wanted.user() ? user() : null,
        wanted.password() ? password(staithe.terminal()) : null,
        wanted.token() ? token(staithe) : null);
  }

  private X509Certificate service() throws IOException {
    if (serviceCertificate == null) {
      throw new IOException(
          "the policy demands the service's certificate: --service-cert FILE names it");
    }
    return Pem.readCertificates(serviceCertificate).getFirst();
  }

  private String user() throws IOException {
    if (user == null) {
      throw new IOException("the policy demands a user: --user NAME");
    }
    return user;
  }

  private byte[] password(Terminal terminal) throws IOException {
    String file = passwordFile;
    String password =
        file == null ? terminal.secret("Password") : terminal.secretOf(file, "password");
    return password.getBytes(StandardCharsets.UTF_8);
  }

  private String token(StaitheCommand staithe) throws IOException {
    String file = tokenFile;
    if (file != null) {
      return staithe.terminal().tokenOf(file);
    }
    String token = staithe.profile().variable("BEARER_TOKEN");
    if (!token.isBlank()) {
      return Terminal.token(token, "$BEARER_TOKEN");
    }
    String environment = staithe.profile().variable("BEARER_TOKEN_FILE");
    if (environment.isEmpty()) {
      throw new IOException("the policy demands a token: --token-file FILE");
    }
    return staithe.terminal().tokenOf(environment);
  }
}
