package dev.staithe.storage;

import static dev.staithe.storage.checksum.ChecksumAlgorithm.ADLER32;
import static dev.staithe.storage.checksum.ChecksumAlgorithm.MD5;
import static dev.staithe.storage.checksum.ChecksumAlgorithm.SHA_256;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Third-party copies whose both ends are one server, as an orchestrator asks for them: within an
 * area and between two, which trust one issuer. Tokens may read {@code /from} or write {@code /to}.
 */
class OwnCopyTests {
  private static final String MAY_READ = "storage.read:/from";
  private static final String MAY_WRITE = "storage.modify:/to";
  private static final String NEITHER = "storage.read:/else storage.modify:/else";

  @TempDir static Path folder;
  private static TokenIssuer issuer;
  private static RunningStorage storage;
  private Sample sample;

  @BeforeAll
  static void startServer() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    Map<String, Object> settings = new LinkedHashMap<>();
    // As it is unless somebody says otherwise: failures are told in the stream.
    settings.put("staithe.copy.early-answer", "0s");
    // Nothing here may need a connection to anybody.
    settings.put("staithe.copy.allowed-networks", "192.0.2.0/24");
    settings.put("staithe.areas[2].name", "second");
    settings.put("staithe.areas[2].root", Files.createDirectories(folder.resolve("second")));
    settings.put("staithe.areas[2].grants[0].issuer", issuer.issuer());
    settings.put("staithe.areas[2].checksums", "adler32,md5");
    storage = RunningStorage.start(folder, authority, issuer, settings);
  }

  @AfterAll
  static void stopServer() {
    storage.close();
    issuer.close();
  }

  @BeforeEach
  void source() throws IOException {
    Files.createDirectories(storage.data().resolve("from"));
    sample = Sample.write(storage.data().resolve("from/file"), 1, 20_000_001);
  }

  /** Whatever comes of a copy: nothing stays behind where it was put together. */
  @AfterEach
  void nothingIsLeftBetween() throws IOException {
    for (String area : new String[] {"data", "second"}) {
      try (Stream<Path> all = Files.walk(folder.resolve(area))) {
        assertThat(
                all.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("/stage"))
                    .filter(path -> !path.endsWith("lock")))
            .isEmpty();
      }
      try (Stream<Path> all = Files.walk(folder.resolve(area + "/to"))) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          Files.delete(file);
        }
      } catch (NoSuchFileException none) {
        // Nothing came.
      }
    }
  }

  private static String token(String scopes) {
    return issuer.token().subject("fts").scope(scopes).audience(RunningStorage.AUDIENCE).sign();
  }

  private static Path file(String area, String name) {
    return folder.resolve(area).resolve(name);
  }

  /** A copy from {@code /data/from/file} as FTS asks for it; null: no token for the other end. */
  private static Curl copy(String mode, String destination, String caller, String passive) {
    String from = "/data/from/file";
    boolean pull = mode.equals("pull");
    Curl curl =
        storage
            .curl(pull ? destination : from)
            .token(token(caller))
            .method("COPY")
            .header("Credential", "none")
            .header(pull ? "Source" : "Destination", storage.url(pull ? from : destination));
    return passive == null
        ? curl
        : curl.header("TransferHeaderAuthorization", "Bearer " + token(passive));
  }

  private static Curl copy(String mode, String area, String name, String reads, String writes) {
    return mode.equals("pull")
        ? copy(mode, "/" + area + "/to/" + name, writes, reads)
        : copy(mode, "/" + area + "/to/" + name, reads, writes);
  }

  @ParameterizedTest
  @CsvSource({"pull, data", "pull, second", "push, data", "push, second"})
  void copyIsMadeWithTheRightsOfBothTokensAndAnsweredWithMarkers(String mode, String area)
      throws IOException {
    CopyAnswer.ofOurs(copy(mode, area, "copied", MAY_READ, MAY_WRITE).run())
        .succeededHere(sample.size());

    assertThat(Sample.of(file(area, "to/copied"))).isEqualTo(sample);
    assertThat(
            storage
                .curl("/" + area + "/to/copied")
                .token(token("storage.read:/"))
                .head()
                .header("Want-Digest", "adler32")
                .run()
                .header("Digest"))
        .hasValue("adler32=" + sample.adler32());
  }

  @ParameterizedTest
  @CsvSource({"pull, data", "pull, second", "push, data", "push, second"})
  void copyWithoutARightAtTheSourceIsRefusedAndLeavesNothing(String mode, String area)
      throws IOException {
    Curl.Response answer = copy(mode, area, "never", NEITHER, MAY_WRITE).run();

    assertRefused(answer, mode.equals("push"), "rejected GET: 403 Forbidden: needs storage.read");
    assertThat(file(area, "to/never")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"pull, data", "pull, second", "push, data", "push, second"})
  void copyWithoutARightAtTheDestinationIsRefusedAndLeavesNothing(String mode, String area)
      throws IOException {
    Curl.Response answer = copy(mode, area, "never", MAY_READ, NEITHER).run();

    assertRefused(answer, mode.equals("pull"), "rejected PUT: 403 Forbidden: needs storage.create");
    assertThat(file(area, "to/never")).doesNotExist();
  }

  /** The caller's own end is told by the status, the other one as a remote server's would be. */
  private static void assertRefused(Curl.Response answer, boolean ownEnd, String line) {
    if (ownEnd) {
      assertThat(answer.status()).as(answer.text()).isEqualTo(403);
    } else {
      assertThat(CopyAnswer.ofOurs(answer).last()).startsWith("failure: " + line);
    }
  }

  /** A token that is given for the other end counts there alone, however much the caller may. */
  @ParameterizedTest
  @CsvSource({"pull, GET", "push, PUT"})
  void callersOwnRightsDoNotHelpATokenThatHasNone(String mode, String method) {
    String all = MAY_READ + " " + MAY_WRITE;

    assertThat(CopyAnswer.ofOurs(copy(mode, "/second/to/never", all, NEITHER).run()).last())
        .startsWith("failure: rejected " + method + ": 403 Forbidden");
    assertThat(
            CopyAnswer.ofOurs(
                    copy(mode, "/second/to/never", all, null)
                        .header("TransferHeaderAuthorization", "Bearer no-token")
                        .run())
                .last())
        .startsWith("failure: rejected " + method + ": 401 Unauthorized");
    assertThat(file("second", "to/never")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void withoutATokenForTheOtherEndTheCallersOwnCounts(String mode) throws IOException {
    String all = MAY_READ + " " + MAY_WRITE;
    CopyAnswer.ofOurs(copy(mode, "/second/to/own", all, null).run()).succeededHere(sample.size());
    assertThat(Sample.of(file("second", "to/own"))).isEqualTo(sample);

    Curl.Response half =
        copy(mode, "/second/to/half", mode.equals("pull") ? MAY_WRITE : MAY_READ, null).run();
    assertThat(CopyAnswer.ofOurs(half).last()).contains(": 403 Forbidden: needs storage.");
    assertThat(file("second", "to/half")).doesNotExist();
  }

  /** What a remote server would see as the credential is it here too, and the only one. */
  @Test
  void tokenInTheSourcesUrlIsTheSources() throws IOException {
    for (String scope : new String[] {MAY_READ, NEITHER}) {
      Curl.Response answer =
          storage
              .curl("/second/to/by-url")
              .token(token(MAY_READ + " " + MAY_WRITE))
              .method("COPY")
              .header("Source", storage.url("/data/from/file?authz=Bearer%20" + token(scope)))
              .run();
      if (scope.equals(MAY_READ)) {
        CopyAnswer.ofOurs(answer).succeededHere(sample.size());
        Files.delete(file("second", "to/by-url"));
      } else {
        assertThat(CopyAnswer.ofOurs(answer).last())
            .startsWith("failure: rejected GET: 403 Forbidden");
        assertThat(file("second", "to/by-url")).doesNotExist();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void fileIsNotCopiedOntoItself(String mode) throws IOException {
    Curl.Response answer =
        copy(
                mode,
                "/data/from/file",
                "storage.read:/ storage.modify:/",
                "storage.read:/ storage.modify:/")
            .run();

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.text()).contains("the same file");
    Files.createDirectories(file("data", "to"));
    Files.deleteIfExists(file("data", "to/link"));
    Files.createSymbolicLink(file("data", "to/link"), Path.of("../from/file"));
    assertThat(CopyAnswer.ofOurs(copy(mode, "data", "link", MAY_READ, MAY_WRITE).run()).last())
        .isEqualTo("failure: source and destination are the same file");
    Files.delete(file("data", "to/link"));
    assertThat(Sample.of(file("data", "from/file"))).isEqualTo(sample);
  }

  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void whatIsThereIsReplacedOnlyWhereTheClientAndItsTokenAllowIt(String mode) throws IOException {
    Files.createDirectories(file("second", "to"));
    Files.writeString(file("second", "to/there"), "old");

    Curl.Response kept =
        copy(mode, "second", "there", MAY_READ, MAY_WRITE).header("Overwrite", "F").run();
    assertThat(kept.text()).contains("File exists");
    Curl.Response creating = copy(mode, "second", "there", MAY_READ, "storage.create:/to").run();
    assertThat(creating.text()).contains("needs storage.modify");
    assertThat(file("second", "to/there")).hasContent("old");

    CopyAnswer.ofOurs(copy(mode, "second", "there", MAY_READ, MAY_WRITE).run())
        .succeededHere(sample.size());
    assertThat(Sample.of(file("second", "to/there"))).isEqualTo(sample);
  }

  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void lockAtTheDestinationIsRespectedAndItsTokenTaken(String mode) throws IOException {
    Files.createDirectories(file("second", "to"));
    Files.writeString(file("second", "to/locked"), "old");
    Curl.Response lock =
        storage
            .curl("/second/to/locked")
            .token(token(MAY_WRITE))
            .method("LOCK")
            .body(
                "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope><locktype><write/>"
                    + "</locktype></lockinfo>")
            .run();
    String lockToken = lock.header("Lock-Token").orElseThrow();

    Curl.Response answer = copy(mode, "second", "locked", MAY_READ, MAY_WRITE).run();
    assertThat(answer.text()).contains("locked");
    assertThat(file("second", "to/locked")).hasContent("old");

    String field = mode.equals("pull") ? "If" : "TransferHeaderIf";
    CopyAnswer.ofOurs(
            copy(mode, "second", "locked", MAY_READ, MAY_WRITE)
                .header(field, "(" + lockToken + ")")
                .run())
        .succeededHere(sample.size());
    assertThat(
            storage
                .curl("/second/to/locked")
                .token(token(MAY_WRITE))
                .method("UNLOCK")
                .header("Lock-Token", lockToken)
                .run()
                .status())
        .isEqualTo(204);
  }

  /** As it is where the source is another server. */
  @Test
  void pullDependsOnWhatTheClientLetsTheSourceDependOn() throws IOException {
    String tag =
        storage
            .curl("/data/from/file")
            .token(token(MAY_READ))
            .head()
            .run()
            .header("ETag")
            .orElseThrow();

    assertThat(
            CopyAnswer.ofOurs(
                    copy("pull", "second", "never", MAY_READ, MAY_WRITE)
                        .header("TransferHeaderIf-Match", "\"another\"")
                        .run())
                .last())
        .startsWith("failure: rejected GET: 412 Precondition Failed");
    assertThat(file("second", "to/never")).doesNotExist();
    CopyAnswer.ofOurs(
            copy("pull", "second", "right", MAY_READ, MAY_WRITE)
                .header("TransferHeaderIf-Match", tag)
                .run())
        .succeededHere(sample.size());
  }

  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void digestThatTheClientKnowsIsCompared(String mode) throws IOException {
    assertThat(
            copy(mode, "second", "never", MAY_READ, MAY_WRITE)
                .header("Digest", "adler32=00000001")
                .run()
                .text())
        .contains("checksum mismatch adler32");
    assertThat(file("second", "to/never")).doesNotExist();

    CopyAnswer.ofOurs(
            copy(mode, "second", "right", MAY_READ, MAY_WRITE)
                .header("Digest", "adler32=" + sample.adler32())
                .run())
        .succeededHere(sample.size());
  }

  /** Those that nobody asked to be computed, too: a terabyte need not be read for them again. */
  @ParameterizedTest
  @CsvSource({"pull", "push"})
  void checksumsThatAreKeptGoAlong(String mode) throws Exception {
    String all = "storage.read:/ storage.modify:/";
    byte[] content = "grain".getBytes(StandardCharsets.UTF_8);
    String sha256 =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
    Files.delete(file("data", "from/file"));
    assertThat(
            storage
                .curl("/data/from/file")
                .token(token(all))
                .method("PUT")
                .header("Repr-Digest", "sha-256=:" + sha256 + ":")
                .body("grain")
                .run()
                .status())
        .isEqualTo(201);

    CopyAnswer.ofOurs(copy(mode, "second", "summed", MAY_READ, MAY_WRITE).run()).succeededHere(5);

    FileStore store =
        storage
            .context()
            .getBean(Areas.class)
            .locate(StoragePath.of("/second/to"))
            .orElseThrow()
            .area()
            .area()
            .store();
    FileEntry copy = store.find(StoragePath.of("/to/summed")).orElseThrow();
    for (ChecksumAlgorithm algorithm : new ChecksumAlgorithm[] {ADLER32, MD5}) {
      assertThat(store.kept(copy, algorithm)).as(algorithm.name()).isPresent();
    }
    assertThat(store.kept(copy, SHA_256).orElseThrow().rfc9530())
        .isEqualTo("sha-256=:" + sha256 + ":");
    if (mode.equals("pull")) {
      Curl.Response retry =
          copy(mode, "second", "summed", MAY_READ, MAY_WRITE).header("Overwrite", "F").run();
      assertThat(retry.status()).isEqualTo(412);
      assertThat(retry.header("Repr-Digest").orElse("none")).contains("sha-256=:" + sha256 + ":");
    }
  }

  @Test
  void whatIsNoFileIsToldAsARemoteServerWould() {
    String all = "storage.read:/ storage.modify:/";
    for (String from : new String[] {"/data/from/none", "/nowhere/file", "/.staithe/status"}) {
      Curl.Response answer =
          storage
              .curl("/second/to/never")
              .token(token(all))
              .method("COPY")
              .header("Source", storage.url(from))
              .run();
      assertThat(CopyAnswer.ofOurs(answer).last())
          .startsWith("failure: ")
          .containsAnyOf("No such file or directory", "404 Not Found");
    }
    assertThat(file("second", "to/never")).doesNotExist();
  }

  /** As RFC 4918 has it, for who asks for no markers. */
  @Test
  void copyOfAClientOfWebDavIsAnsweredAsBefore() throws IOException {
    Files.createDirectories(file("data", "to"));
    assertThat(
            storage
                .curl("/data/from/file")
                .token(token("storage.read:/ storage.modify:/"))
                .method("COPY")
                .header("Destination", storage.url("/data/to/plain"))
                .run()
                .status())
        .isEqualTo(201);
  }
}
