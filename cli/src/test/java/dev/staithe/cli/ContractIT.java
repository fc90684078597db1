package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Contracts between two released storage elements, looked at by the released command. */
class ContractIT {
  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static TokenIssuer issuer;
  private static StorageElement p;
  private static StorageElement a;

  @BeforeAll
  static void transfer() throws Exception {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    int portOfP = FreePort.next();
    int portOfA = FreePort.next();
    p = new StorageElement(folder.resolve("p"), portOfP, portOfA, authority, issuer, Map.of());
    a = new StorageElement(folder.resolve("a"), portOfA, portOfP, authority, issuer, Map.of());
    p.ready();
    a.ready();
    for (String name : List.of("one", "two")) {
      Files.writeString(p.file(name), "bytes of " + name);
      assertThat(a.pull(p.url("/data/" + name), "/data/" + name)).contains("success:");
    }
  }

  @AfterAll
  static void stop() {
    p.close();
    a.close();
    issuer.close();
  }

  private static Ran done(String... arguments) {
    return new StaitheProgram(folder.resolve("home")).done("", arguments);
  }

  private static Ran atServer(StorageElement element, String command, String... more) {
    String[] all = new String[6 + more.length];
    List.of(
            "contract",
            command,
            "--url",
            element.url(""),
            "--trust",
            authority.certificateFile().toString())
        .toArray(all);
    System.arraycopy(more, 0, all, 6, more.length);
    return done(all);
  }

  private static String id(String output) {
    return output.strip().replaceAll("(?s).* ", "");
  }

  @Test
  void contractIsFoundByPathHostAndTimeAndItsExportVerifies() throws Exception {
    String listed = atServer(p, "list", "--path", "/data/one").output();
    assertThat(listed.lines()).hasSize(2);
    assertThat(listed).contains("received", a.url(""), p.url("/data/one"), " 12 ");
    assertThat(atServer(p, "list").output().lines()).hasSize(3);
    assertThat(atServer(p, "list", "--host", "other:1").output().lines()).hasSize(1);
    assertThat(atServer(p, "list", "--since", "2999-01-01T00:00:00Z").output().lines()).hasSize(1);

    String id = id(listed);
    assertThat(atServer(a, "show", id).output())
        .contains("state: acknowledged", id + ".partner.cose", "request signs", "\"@target-uri\"");

    Path to = folder.resolve("exported");
    assertThat(atServer(a, "export", id, "--to", to.toString()).output().lines()).hasSize(2);
    Ran verified =
        done(
            "contract",
            "verify",
            to.resolve(id + ".partner.cose").toString(),
            "--keys",
            p.keys().toString(),
            "--keys",
            a.keys().toString(),
            "--log-key",
            p.logKey());
    assertThat(verified.output()).contains("received 12 bytes").doesNotContain("BAD");
  }

  @Test
  void auditorFindsTheSameInAFolderOfStatements() throws Exception {
    String listed = done("contract", "list", "--from", p.statements().toString()).output();
    assertThat(listed.lines()).hasSize(3);
    String id =
        id(
            done("contract", "list", "--from", p.statements().toString(), "--path", "/data/two")
                .output());

    Path to = folder.resolve("told");
    for (String format : List.of("json", "prov")) {
      done(
          "contract",
          "export",
          id,
          "--from",
          p.statements().toString(),
          "--format",
          format,
          "--to",
          to.toString());
    }
    JsonNode json = JsonMapper.shared().readTree(to.resolve(id + ".json"));
    assertThat(json.path("receiver").asString()).isEqualTo(a.url(""));
    assertThat(json.at("/request/signed/1").asString()).contains(p.url("/data/two"));
    JsonNode prov = JsonMapper.shared().readTree(to.resolve(id + ".prov.json"));
    assertThat(prov.at("/entity/c:source/prov:location").asString()).isEqualTo(p.url("/data/two"));
    assertThat(prov.at("/wasDerivedFrom/_:received-source/prov:usedEntity").asString())
        .isEqualTo("c:source");
    assertThat(prov.at("/agent/c:receiver/prov:label").asString()).isEqualTo(a.url(""));
    Ran none =
        new StaitheProgram(folder.resolve("home"))
            .run("", "contract", "export", "x", "--from", p.statements().toString());
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.errors()).contains("no statement in", "is of x");
  }
}
