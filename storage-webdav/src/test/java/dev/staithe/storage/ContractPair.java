package dev.staithe.storage;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.log.LogVerifier;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Two storage elements with contracts: {@code s} has a file, {@code r} receives it. */
final class ContractPair implements AutoCloseable {
  static final int SIZE = 3_000_000;

  final Path folder;
  final ThrowAwayAuthority authority;
  final TokenIssuer issuer;
  final int portOfS = FreePort.next();
  final int portOfR = FreePort.next();
  final byte[] content = new byte[SIZE];

  ContractPair(Path folder) {
    this.folder = folder;
    this.authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    this.issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    new Random(11).nextBytes(content);
    try {
      for (String name : List.of("s", "r")) {
        Files.createDirectories(folder.resolve(name + "/data"));
        Pem.writePrivateKey(key(name), KeyKind.EC_P256.generate().getPrivate());
      }
      Files.write(folder.resolve("s/data/file"), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path key(String name) {
    return folder.resolve(name + "-contract.pem");
  }

  /** Makes another key; where the one before is from now on. */
  Path anotherKey(String name) throws IOException {
    Path old = folder.resolve(name + "-contract-old.pem");
    Files.move(key(name), old);
    Pem.writePrivateKey(key(name), KeyKind.EC_P256.generate().getPrivate());
    return old;
  }

  static String host(int port) {
    return "localhost:" + port;
  }

  String atR(String path) {
    return "https://" + host(portOfR) + path;
  }

  String atS(String path) {
    return "https://" + host(portOfS) + path;
  }

  RunningStorage start(String name, int port, int partner, Map<String, Object> more) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://" + host(port));
    settings.put("staithe.contracts.key", key(name));
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.host.jurisdiction", "DE");
    settings.put("staithe.contracts.host.retention", "P30D");
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", host(partner));
    settings.putAll(more);
    if ("off".equals(settings.get("staithe.areas[0].contracts.mode"))) {
      settings.remove("staithe.areas[0].contracts.hosts");
    }
    return RunningStorage.start(folder.resolve(name), authority, issuer, settings);
  }

  RunningStorage startS(Map<String, Object> more) {
    return start("s", portOfS, portOfR, more);
  }

  RunningStorage startR(Map<String, Object> more) {
    return start("r", portOfR, portOfS, more);
  }

  static Map<String, Object> mode(String mode) {
    return Map.of("staithe.areas[0].contracts.mode", mode);
  }

  /** Has {@code s} push its file to that URL. */
  static CopyAnswer push(RunningStorage s, String destination) {
    return CopyAnswer.of(
        s.curl("/data/file")
            .token(s.token())
            .header("Destination", destination)
            .header("Credential", "none")
            .header("TransferHeaderAuthorization", "Bearer " + s.token())
            .method("COPY")
            .run());
  }

  /** Has {@code r} pull a file by so many streams; small ones too where its settings say so. */
  static CopyAnswer pull(RunningStorage r, String source, String target, int streams) {
    return CopyAnswer.of(
        r.curl(target)
            .token(r.token())
            .header("Source", source)
            .header("X-Number-Of-Streams", String.valueOf(streams))
            .header("TransferHeaderAuthorization", "Bearer " + r.token())
            .method("COPY")
            .run());
  }

  /** What a server that runs keeps of its contracts, the oldest first. */
  List<KeptContracts.Row> rows(String name) {
    return KeptContracts.live(folder.resolve(name + "-contracts"));
  }

  /** What an auditor finds of a statement that is in the log of one of them. */
  static List<ContractAudit.Finding> audit(
      RunningStorage s, RunningStorage r, RunningStorage ofLog, byte[] statement) throws Exception {
    Map<String, PartyKey> keys = new HashMap<>();
    for (RunningStorage each : List.of(s, r)) {
      keys.putAll(PartyKey.readSet(each.curl("/.well-known/jwks.json").run().text()));
    }
    String host = ofLog.curl("/.well-known/staithe-host").run().text();
    String log = host.replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1").replace("\\/", "/");
    return new ContractAudit(keys, LogVerifier.parse(log)).run(statement);
  }

  @Override
  public void close() {
    issuer.close();
  }
}
