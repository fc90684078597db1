package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
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
  private static GridAuthority grid;
  private static StorageElement p;
  private static StorageElement a;

  @BeforeAll
  static void transfer() throws Exception {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    int portOfP = FreePort.next();
    int portOfA = FreePort.next();
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    Map<String, String> people =
        Map.of("staithe.areas[0].contracts.people.trust", grid.trust().toString());
    p = new StorageElement(folder.resolve("p"), portOfP, portOfA, authority, issuer, people);
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

  private static String host(StorageElement element) {
    return element.url("").substring("https://".length());
  }

  private static String id(String output) {
    return output.strip().replaceAll("(?s).* ", "");
  }

  @Test
  void contractIsFoundByPathHostAndTimeAndItsExportVerifies() throws Exception {
    String listed = atServer(p, "list", "--path", "/data/one").output();
    assertThat(listed.lines()).hasSize(2);
    assertThat(listed).contains("received", a.url(""), p.url("/data/one"), " 12 ");
    assertThat(atServer(p, "list", "--host", host(a)).output().lines()).hasSize(3);
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

  private static Ran get(GridAuthority.Holder person, String name, Path to, String... more)
      throws Exception {
    return asPerson(person, List.of("get", p.url("/data/" + name), "--to", to.toString()), more);
  }

  private static Ran put(GridAuthority.Holder person, Path file, String name, String... more)
      throws Exception {
    return asPerson(person, List.of("put", file.toString(), p.url("/data/" + name)), more);
  }

  private static Ran asPerson(GridAuthority.Holder person, List<String> command, String... more)
      throws Exception {
    return new StaitheProgram(folder.resolve("home")).run("", arguments(person, command, more));
  }

  private static String[] arguments(
      GridAuthority.Holder person, List<String> command, String... more) throws Exception {
    Path token = folder.resolve("token");
    Files.writeString(token, p.token());
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(
        List.of(
            "--cert",
            person.certificate().toString(),
            "--key",
            person.key().toString(),
            "--token-file",
            token.toString(),
            "--trust",
            authority.certificateFile().toString()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  @Test
  void personGetsAFileUnderContractAndProvesItOffline() throws Exception {
    Files.writeString(p.file("person"), "bytes for Ada");
    Curl.Response plain = p.curl("/data/person").token(p.token()).run();
    assertThat(plain.status()).isEqualTo(403);
    assertThat(plain.text()).contains("staithe get URL");

    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Path here = Files.createDirectories(folder.resolve("got"));
    Ran got = get(ada, "person", here.resolve("person"));
    assertThat(got.code()).as(got.errors()).isZero();
    assertThat(here.resolve("person")).hasContent("bytes for Ada");
    try (var files = Files.list(here)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("person", "person.cose", "person.jwks.json", "person.log-key");
    }
    String verify = got.output().lines().skip(1).findFirst().orElseThrow();
    String[] words = (verify + " --trust " + grid.trust()).split(" ");
    Ran verified = done(Arrays.copyOfRange(words, 1, words.length));
    assertThat(verified.output())
        .contains("CN=Ada,O=Example,C=DE received as a person, by the certificate of sha-256")
        .contains("received 13 bytes")
        .doesNotContain("BAD");
    assertThat(atServer(p, "list", "--host", "CN=Ada,O=Example,C=DE").output())
        .contains("received", p.url("/data/person"));
    Path dangling = Files.createSymbolicLink(here.resolve("link"), here.resolve("nowhere"));
    for (Path taken : List.of(here.resolve("person"), dangling)) {
      Ran again = get(ada, "person", taken);
      assertThat(again.code()).isEqualTo(1);
      assertThat(again.errors()).contains("is there already");
    }
  }

  @Test
  void personPutsAFileUnderContractAndProvesItOffline() throws Exception {
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Path here = Files.createDirectories(folder.resolve("brought"));
    Path file = Files.writeString(here.resolve("result"), "bytes by Ada");
    Ran unwanted = put(ada, file, "result", "--want", "jurisdiction in [US]");
    assertThat(unwanted.code()).isEqualTo(1);
    assertThat(unwanted.errors())
        .contains("gets nothing: wanted jurisdiction in [US], offered [DE]")
        .hasLineCount(1);
    assertThat(p.file("result")).doesNotExist();
    GridAuthority strange = GridAuthority.in(folder.resolve("stranger"), Clock.systemUTC());
    Ran refused = put(strange.person("/C=DE/O=Example/CN=Ada"), file, "result");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors())
        .contains("403", "not issued by a trusted authority")
        .hasLineCount(1);
    assertThat(p.file("result")).doesNotExist();
    try (var files = Files.list(here)) {
      assertThat(files).as("no statement").hasSize(1);
    }

    Ran put =
        put(ada, file, "result", "--want", "jurisdiction in [DE]", "--property", "purpose=archive");
    assertThat(put.code()).as(put.errors()).isZero();
    assertThat(p.file("result")).hasContent("bytes by Ada");
    String verify = put.output().lines().skip(1).findFirst().orElseThrow();
    String[] words = (verify + " --trust " + grid.trust()).split(" ");
    assertThat(done(Arrays.copyOfRange(words, 1, words.length)).output())
        .contains("CN=Ada,O=Example,C=DE brought as a person, by the certificate of sha-256")
        .contains("{purpose=archive}", p.url("") + " received 12 bytes")
        .doesNotContain("BAD");
    assertThat(atServer(p, "list", "--host", "CN=Ada,O=Example,C=DE").output())
        .contains("acknowledged", p.url("/data/result"));
    byte[] proof = Files.readAllBytes(here.resolve("result.cose"));
    Ran again = put(ada, file, "again");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.errors()).contains("result.cose", "--proof FILE").hasLineCount(1);
    assertThat(p.file("again")).doesNotExist();
    String other = here.resolve("again").toString();
    assertThat(put(ada, file, "again", "--proof", other).output()).contains(other + ".cose");
    assertThat(here.resolve("result.cose")).hasBinaryContent(proof);
    assertThat(here.resolve("again.cose")).exists();
    Path empty = Files.createFile(here.resolve("empty"));
    assertThat(put(ada, empty, "empty").code()).isZero();
    assertThat(p.file("empty")).isEmptyFile();
  }

  @Test
  void downloadThatIsRefusedOrWrongLeavesNothing() throws Exception {
    Files.writeString(p.file("wrong"), "bytes that change");
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Eve");
    Path here = Files.createDirectories(folder.resolve("nothing"));
    GridAuthority strange = GridAuthority.in(folder.resolve("strange"), Clock.systemUTC());
    Ran refused = get(strange.person("/C=DE/O=Example/CN=Eve"), "wrong", here.resolve("f"));
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors().lines()).hasSize(1);
    assertThat(refused.errors()).contains("403", "not issued by a trusted authority");

    assertThat(get(ada, "wrong", here.resolve("first")).code()).isZero();
    changeKeptDigest(p.file("wrong"));
    Ran wrong = get(ada, "wrong", here.resolve("second"));
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.errors()).contains("what came is not what", "signed");
    try (var files = Files.list(here)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .allMatch(name -> name.startsWith("first"));
    }
    assertThat(atServer(p, "list", "--path", "/data/wrong").output())
        .contains("received", "refused");
  }

  /** A server that stands in the middle of a file is given up, not waited for until Monday. */
  @Test
  void downloadThatStallsIsGivenUpAndLeavesNothing() throws Exception {
    try (var large = new RandomAccessFile(p.file("large").toFile(), "rw")) {
      large.setLength(400L << 20);
    }
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Path here = Files.createDirectories(folder.resolve("stalled"));
    Thread stop =
        Thread.ofPlatform()
            .start(
                () -> {
                  Eventually.holds("bytes come", () -> bytesIn(here) > 0);
                  p.pause();
                });
    Ran stalled;
    try {
      stalled = get(ada, "large", here.resolve("large"), "--stall", "2");
      stop.join();
    } finally {
      p.resume();
    }
    assertThat(stalled.code()).isEqualTo(1);
    assertThat(stalled.errors()).contains("none came for 2 s").hasLineCount(1);
    assertThat(here).isEmptyDirectory();
  }

  /** By Ctrl-C, or by who looks after the machine. */
  @Test
  void downloadThatIsEndedLeavesNothing() throws Exception {
    try (var large = new RandomAccessFile(p.file("ended").toFile(), "rw")) {
      large.setLength(400L << 20);
    }
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Path here = Files.createDirectories(folder.resolve("ended"));
    List<String> command =
        List.of("get", p.url("/data/ended"), "--to", here.resolve("f").toString());
    Process get = new StaitheProgram(folder.resolve("home")).start(arguments(ada, command));
    try {
      Eventually.holds("bytes come", () -> bytesIn(here) > 0 || !get.isAlive());
      p.pause();
      assertThat(get.isAlive()).isTrue();
      get.destroy();
      assertThat(get.waitFor(Programs.LONGEST)).isTrue();
    } finally {
      p.resume();
      get.destroyForcibly();
    }
    assertThat(here).isEmptyDirectory();
  }

  /** The sender has the receipt by then: what it says is kept has to be somewhere. */
  @Test
  void downloadWhoseNameIsTakenMeanwhileIsKeptWithItsProof() throws Exception {
    try (var large = new RandomAccessFile(p.file("taken").toFile(), "rw")) {
      large.setLength(400L << 20);
    }
    GridAuthority.Holder ada = grid.person("/C=DE/O=Example/CN=Ada");
    Path here = Files.createDirectories(folder.resolve("taken-meanwhile"));
    Path target = here.resolve("f");
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  Eventually.holds("bytes come", () -> bytesIn(here) > 0);
                  p.pause();
                  try {
                    Files.writeString(target, "another's");
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  } finally {
                    p.resume();
                  }
                });
    Ran got = get(ada, "taken", target);
    other.join();

    assertThat(got.code()).isEqualTo(1);
    assertThat(got.errors())
        .contains(target + ": is there by now; what came is in ")
        .hasLineCount(1);
    Path kept = Path.of(got.errors().strip().replaceFirst(".*what came is in ", ""));
    assertThat(kept).hasSize(400L << 20);
    assertThat(target).hasContent("another's");
    assertThat(here.resolve("f.cose")).exists();
  }

  private static long bytesIn(Path here) {
    try (Stream<Path> files = Files.list(here)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the sender keeps as the file's checksum, and signs, is of other bytes then. */
  private static void changeKeptDigest(Path file) throws Exception {
    var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    for (String name : view.list()) {
      ByteBuffer value = ByteBuffer.allocate(view.size(name));
      view.read(name, value);
      String text = new String(value.array(), StandardCharsets.UTF_8);
      int at = text.toLowerCase(Locale.ROOT).indexOf("sha-256=");
      if (at >= 0) {
        String other = text.charAt(at + 10) == '0' ? "1" : "0";
        String changed = text.substring(0, at + 10) + other + text.substring(at + 11);
        view.write(name, ByteBuffer.wrap(changed.getBytes(StandardCharsets.UTF_8)));
        return;
      }
    }
    throw new IllegalStateException("no digest is kept with " + file);
  }

  @Test
  void auditorFindsTheSameInAFolderOfStatements() throws Exception {
    // They are in the file of the day half a second later.
    Eventually.holds(
        "all are listed",
        () ->
            new StaitheProgram(folder.resolve("home"))
                    .run(
                        "",
                        "contract",
                        "list",
                        "--from",
                        p.statements().toString(),
                        "--host",
                        host(a))
                    .output()
                    .lines()
                    .count()
                == 3);
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
