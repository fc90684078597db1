package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.person.PersonSigner;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.PythonClients;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What libraries that know nothing of us say of a transfer under contract, and do in one. */
@SuppressWarnings("try")
class ContractStrangersIT {
  @TempDir Path folder;
  private GridAuthority grid;

  private Map<String, Object> settings(String name, int port, int partner) throws IOException {
    Path key = folder.resolve(name + "-contract.pem");
    Pem.writePrivateKey(key, KeyKind.EC_P256.generate().getPrivate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("server.port", port);
    settings.put("staithe.contracts.origin", "https://localhost:" + port);
    settings.put("staithe.contracts.key", key);
    settings.put("staithe.contracts.state", folder.resolve(name + "-contracts"));
    settings.put("staithe.contracts.host.jurisdiction", "DE");
    settings.put("staithe.areas[0].contracts.mode", "require");
    settings.put("staithe.areas[0].contracts.hosts", "localhost:" + partner);
    settings.put("staithe.areas[0].contracts.people.trust", grid.trust());
    return settings;
  }

  private String python(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(PythonClients.get().program());
    command.add(Path.of("src/test/resources/contract-strangers.py").toString());
    command.addAll(List.of(arguments));
    try (ManagedProcess process =
        ManagedProcess.start(command, Map.of(), folder.resolve("strangers.log"))) {
      int status = process.awaitEnd(Eventually.LONGEST);
      assertThat(status).as(process.output()).isZero();
      return process.output();
    }
  }

  /** A file that a person gets; the statement of it. */
  private byte[] person(RunningStorage p, ThrowAwayAuthority authority) throws Exception {
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    PersonContract contract =
        PersonContract.of(
            p.url("/data/file"),
            p.url(""),
            PersonSigner.byCertificate(
                Credential.read(ada.certificate(), ada.key()), Map.of(), Clock.systemUTC()));
    String token = p.token();
    Curl ask = p.curl("/data/file").token(token);
    contract.ask("", "Bearer " + token).forEach(ask::header);
    Curl.Response answer = ask.run();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    Received received =
        new Received(true, answer.body().length, Hash.of(answer.body()), Instant.now());
    Curl tell =
        Curl.to(contract.receiptUrl())
            .trusting(authority)
            .method("POST")
            .body(received.encode())
            .header("Content-Type", "application/json");
    contract.receipt(received).forEach(tell::header);
    Curl.Response stated = tell.run();
    assertThat(stated.status()).as(stated.text()).isEqualTo(201);
    return stated.body();
  }

  @Test
  void strangersVerifyWhatWeMadeAndTheirSignatureIsAccepted() throws Exception {
    PythonClients python = PythonClients.get();
    // Without a network there are no clients of strangers.
    Assumptions.assumeTrue(python.obstacle().isEmpty(), python.obstacle());
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    int portOfP = FreePort.next();
    int portOfA = FreePort.next();
    Files.createDirectories(folder.resolve("p/data"));
    Files.writeString(folder.resolve("p/data/file"), "bytes of great value");
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        RunningStorage p =
            RunningStorage.start(
                folder.resolve("p"), authority, issuer, settings("p", portOfP, portOfA));
        RunningStorage a =
            RunningStorage.start(
                folder.resolve("a"), authority, issuer, settings("a", portOfA, portOfP))) {
      CopyAnswer.of(
              a.curl("/data/file")
                  .token(a.token())
                  .header("Source", p.url("/data/file"))
                  .header("TransferHeaderAuthorization", "Bearer " + a.token())
                  .method("COPY")
                  .run())
          .succeeded(20);
      Path state = folder.resolve("p-contracts");
      Path statement = folder.resolve("pull.cose");
      Files.write(statement, KeptContracts.live(state).getFirst().own());
      Path keys = folder.resolve("keys.json");
      String ofP = p.curl("/.well-known/jwks.json").run().text();
      String ofA = a.curl("/.well-known/jwks.json").run().text();
      Files.writeString(
          keys, ofP.substring(0, ofP.lastIndexOf(']')) + "," + ofA.substring(ofA.indexOf('[') + 1));
      String log =
          p.curl("/.well-known/staithe-host")
              .run()
              .text()
              .replaceAll("(?s).*\"log\":\"([^\"]+)\".*", "$1")
              .replace("\\/", "/");
      assertThat(python("verify", statement.toString(), keys.toString(), log))
          .contains("statement, receipt and request verified, host");
      ContractPair.push(p, a.url("/data/pushed")).succeeded(20);
      Path ofPush = folder.resolve("push.cose");
      Files.write(ofPush, KeptContracts.live(state).getLast().own());
      assertThat(python("verify", ofPush.toString(), keys.toString(), log))
          .contains("statement, receipt and delivery verified, host");
      Path ofPerson = folder.resolve("person.cose");
      Files.write(ofPerson, person(p, authority));
      assertThat(python("verify", ofPerson.toString(), keys.toString(), log))
          .contains("statement, receipt and request verified, person");

      Path key = folder.resolve("a-contract.pem");
      ContractKey ours = ContractKey.read(key);
      String properties =
          HostProperties.sign(
                  "https://localhost:" + portOfA, Map.of("jurisdiction", "DE"), ours, Instant.now())
              .text();
      assertThat(
              python(
                  "ask",
                  p.url("/data/file"),
                  key.toString(),
                  ours.id(),
                  UUID.randomUUID().toString(),
                  properties,
                  p.token(),
                  authority.certificateFile().toString()))
          .contains("\n200 True True");
    }
  }
}
