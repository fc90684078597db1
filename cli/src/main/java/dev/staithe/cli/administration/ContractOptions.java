package dev.staithe.cli.administration;

import dev.staithe.cli.certificate.OwnCredential;
import dev.staithe.cli.program.ServerTrust;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Credential;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** How long no byte may move. */
  Duration patience() throws IOException {
    if (stall < 1) {
      throw new IOException("--stall is one second or more");
    }
    return Duration.ofSeconds(stall);
  }

  /** The value of {@code Authorization}; empty without a token. */
  String authorization(StaitheCommand staithe) throws IOException {
    String token = tokenFile == null ? "" : staithe.terminal().secretOf(tokenFile, "token").strip();
    return token.isEmpty() ? "" : "Bearer " + token;
  }

  Credential person(StaitheCommand staithe) throws IOException {
    return own.proxyOrCertificate(staithe);
  }

  ClientTls tls(StaitheCommand staithe) throws IOException {
    return ServerTrust.tls(ServerTrust.of(trust, staithe.profile()), staithe.clock());
  }

  Map<String, Object> stated() {
    return new LinkedHashMap<>(properties);
  }
}
