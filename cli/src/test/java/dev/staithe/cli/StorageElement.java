package dev.staithe.cli;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A released storage element with one area, {@code data}, whose files need a contract. */
final class StorageElement implements AutoCloseable {
  private static final Path JAR = Path.of("../storage-webdav/target/storage-webdav.jar");
  private static final String AUDIENCE = "https://storage.test";

  private final Path folder;
  private final int port;
  private final ThrowAwayAuthority authority;
  private final TokenIssuer issuer;
  private final ManagedProcess process;

  /** Starts one that has contracts with the host at {@code partner}. */
  StorageElement(
      Path folder,
      int port,
      int partner,
      ThrowAwayAuthority authority,
      TokenIssuer issuer,
      Map<String, String> more) {
    this.folder = folder;
    this.port = port;
    this.authority = authority;
    this.issuer = issuer;
    Map<String, String> settings = new LinkedHashMap<>();
    ThrowAwayAuthority.Host host = authority.localhost();
    settings.put("server.port", String.valueOf(port));
    settings.put("server.address", "127.0.0.1");
    settings.put("staithe.tls.certificate", host.certificate().toString());
    settings.put("staithe.tls.key", host.key().toString());
    settings.put("staithe.trust", authority.certificateFile().toString());
    settings.put("staithe.issuers[0].issuer", issuer.issuer());
    settings.put("staithe.issuers[0].audiences", AUDIENCE);
    settings.put("staithe.areas[0].name", "data");
    settings.put("staithe.areas[0].root", folder.resolve("data").toString());
    settings.put("staithe.areas[0].grants[0].issuer", issuer.issuer());
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    settings.put("staithe.copy.allowed-networks", "127.0.0.0/8");
    settings.put("staithe.contracts.origin", url(""));
    settings.put("staithe.contracts.key", folder.resolve("contract.pem").toString());
    settings.put("staithe.contracts.state", folder.resolve("contracts").toString());
    settings.put("staithe.contracts.host.jurisdiction", "DE");
    settings.putAll(more);
    if ("off".equals(settings.get("staithe.areas[0].contracts.mode"))) {
      settings.remove("staithe.areas[0].contracts.hosts");
    }
    try {
      Files.createDirectories(folder.resolve("data"));
      Pem.writePrivateKey(folder.resolve("contract.pem"), KeyKind.EC_P256.generate().getPrivate());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.process =
        ManagedProcess.start(
            ReleasedJar.command(
                JAR,
                settings.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toList()),
            Map.of("LC_ALL", "C.UTF-8"),
            folder.resolve("log"));
  }

  /** Waits until it listens. */
  StorageElement ready() {
    process.awaitPort(port, Programs.LONGEST);
    return this;
  }

  /** What it has written to its log, the access log with it. */
  String output() {
    return process.output();
  }

  String url(String path) {
    return "https://localhost:" + port + path;
  }

  /** A file of its area. */
  Path file(String name) {
    return folder.resolve("data").resolve(name);
  }

  /** Where its statements are. */
  Path statements() {
    return folder.resolve("contracts/statements");
  }

  /** A token that may do anything. */
  String token() {
    return issuer
        .token()
        .subject("tester")
        .scope("storage.read:/ storage.modify:/")
        .audience(AUDIENCE)
        .sign();
  }

  Curl curl(String path) {
    return Curl.to(url(path)).trusting(authority);
  }

  /** Writes what it publishes of its keys beside it, and returns the file. */
  Path keys() throws IOException {
    return Files.write(folder.resolve("jwks.json"), curl("/.well-known/jwks.json").run().body());
  }

  /** The key of its log. */
  String logKey() {
    String host = curl("/.well-known/staithe-host").run().text();
    return host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/");
  }

  /** Copies a file from elsewhere. */
  String pull(String source, String target) {
    return curl(target)
        .token(token())
        .header("Source", source)
        .header("TransferHeaderAuthorization", "Bearer " + token())
        .method("COPY")
        .run()
        .text();
  }

  /** Stops it where it is; connections stay open and nobody answers. */
  void pause() {
    signal("STOP");
  }

  /** Undoes {@link #pause}. */
  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
