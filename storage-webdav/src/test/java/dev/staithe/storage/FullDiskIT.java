package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An area on a file system of 32 MiB, which these tests mount; so they need to run as root. */
class FullDiskIT {
  private static final int TOO_MUCH = 40 << 20;

  /** One caller may take all; the default is asked for where shares are tried. */
  private static final Map<String, Object> NO_SHARES =
      Map.of("staithe.areas[0].staged-per-caller", 100);

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private Path small;
  private RunningStorage storage;

  @BeforeEach
  void mount() throws IOException {
    small = Files.createDirectories(folder.resolve("element/data"));
    command("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", small.toString());
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    try {
      storage = RunningStorage.start(folder.resolve("element"), authority, issuer, NO_SHARES);
    } catch (RuntimeException e) {
      command("umount", "--lazy", small.toString());
      throw e;
    }
  }

  @AfterEach
  void unmount() {
    try {
      storage.close();
      issuer.close();
    } finally {
      command("umount", "--lazy", small.toString());
    }
  }

  private void command(String... command) {
    try (ManagedProcess process =
        ManagedProcess.start(List.of(command), Map.of(), folder.resolve("mount.log"))) {
      assertThat(process.awaitEnd(Duration.ofSeconds(30)))
          .as("mounting a small file system, which needs root: %s", process.output())
          .isZero();
    }
  }

  private long room() {
    try {
      return Files.getFileStore(small).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void nothingIsLeftAndTheElementGoesOn(long roomBefore) throws IOException {
    Eventually.holds("the room is free again", () -> room() >= roomBefore - 8192);
    try (Stream<Path> all = Files.walk(small)) {
      assertThat(all.filter(Files::isRegularFile).filter(p -> !p.endsWith("lock")))
          .filteredOn(p -> !p.toString().contains("/.staithe/state/"))
          .extracting(p -> small.relativize(p).toString())
          .allMatch(p -> p.equals("kept") || !p.contains("stage/") && p.startsWith(".staithe"));
    }
    Eventually.holds("what was announced is given back", () -> admits(room() - (2 << 20)));
    Path little = Files.write(folder.resolve("little"), Sample.bytes(1, 1000));
    Curl.Response put = storage.curl("/data/little").token(storage.token()).upload(little).run();
    assertThat(put.status()).as(put.toString()).isEqualTo(201);
    assertThat(small.resolve("little")).hasSameBinaryContentAs(little);
  }

  /** Whether an upload of that length would be taken; none is made. */
  private boolean admits(long length) {
    try (RawClient client = RawClient.to(storage.port(), storage.authority())) {
      client.send(
          "PUT /data/probe HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
              + length
              + "\r\nAuthorization: Bearer "
              + storage.token()
              + "\r\n\r\n");
      return client.readHead().startsWith("HTTP/1.1 100 ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void uploadThatSaysItIsTooLongIsRefusedBeforeItsBody() throws IOException {
    long before = room();
    try (RawClient client = RawClient.to(storage.port(), storage.authority())) {
      client.send(
          "PUT /data/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + storage.token()
              + "\r\nContent-Length: "
              + TOO_MUCH
              + "\r\nExpect: 100-continue\r\n\r\n");

      assertThat(client.readHead()).startsWith("HTTP/1.1 507 ");
    }
    nothingIsLeftAndTheElementGoesOn(before);
  }

  @Test
  void chunkedUploadThatFillsTheDiskIs507AndLeavesNothing() throws IOException {
    long before = room();
    Files.write(small.resolve("kept"), Sample.bytes(2, 5000));
    Path large = folder.resolve("large");
    Sample.write(large, 3, TOO_MUCH);

    for (String name : List.of("large", "kept")) {
      Curl.Response put =
          storage
              .curl("/data/" + name)
              .token(storage.token())
              .header("Transfer-Encoding", "chunked")
              .upload(large)
              .run();

      assertThat(put.status()).as(put.toString()).isEqualTo(507);
      assertThat(put.text().lines()).hasSize(1).first().asString().contains("space");
    }

    assertThat(small.resolve("large")).doesNotExist();
    assertThat(small.resolve("kept")).hasBinaryContent(Sample.bytes(2, 5000));
    nothingIsLeftAndTheElementGoesOn(before);
  }

  @Test
  void twoUploadsThatFitOnlyOneByOneAreNotBothBegun() throws IOException {
    long before = room();
    String head =
        "HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
            + (20 << 20)
            + "\r\nAuthorization: Bearer "
            + storage.token()
            + "\r\n\r\n";
    try (RawClient one = RawClient.to(storage.port(), storage.authority());
        RawClient other = RawClient.to(storage.port(), storage.authority())) {
      one.send("PUT /data/one " + head);
      assertThat(one.readHead()).startsWith("HTTP/1.1 100 ");
      other.send("PUT /data/other " + head);
      assertThat(other.readHead()).startsWith("HTTP/1.1 507 ");
    }
    nothingIsLeftAndTheElementGoesOn(before);
  }

  @Test
  void copyWithinTheAreaThatDoesNotFitIs507AndLeavesNothing() throws IOException {
    Sample.write(small.resolve("kept"), 4, 20 << 20);
    long before = room();

    Curl.Response copy =
        storage
            .curl("/data/kept")
            .token(storage.token())
            .method("COPY")
            .header("Destination", storage.url("/data/second"))
            .run();

    assertThat(copy.status()).as(copy.toString()).isEqualTo(507);
    assertThat(small.resolve("second")).doesNotExist();
    nothingIsLeftAndTheElementGoesOn(before);
  }

  @Test
  void pullOfWhatIsTooLongIs507AtOnceOrAFailureWhenItShows() throws IOException {
    long before = room();
    try (HeldSource told = new HeldSource(storage.authority(), TOO_MUCH, true);
        HeldSource untold = new HeldSource(storage.authority(), TOO_MUCH, false);
        Client client = new Client(storage.authority(), storage.token())) {
      Client.Answer early = client.pull(storage.url("/data/early"), told.url("/file"));
      assertThat(early.status()).as(early.text()).isEqualTo(507);
      assertThat(early.text().lines()).hasSize(1);

      untold.release();
      Client.Answer late = client.pull(storage.url("/data/late"), untold.url("/file"));
      assertThat(late.status()).as(late.text()).isIn(202, 507);
      assertThat(late.text().toLowerCase(java.util.Locale.ROOT)).contains("no space left");
      if (late.status() == 202) {
        assertThat(late.text().lines().toList().getLast()).startsWith("failure: ");
      }
    }
    assertThat(small.resolve("early")).doesNotExist();
    assertThat(small.resolve("late")).doesNotExist();
    nothingIsLeftAndTheElementGoesOn(before);
  }

  @Test
  void whatIsKeptFreeStaysFreeWhateverWrites() throws IOException {
    storage.close();
    storage =
        RunningStorage.start(
            folder.resolve("element"),
            authority,
            issuer,
            Map.of(
                "staithe.areas[0].keep-free", "20MB", "staithe.areas[0].staged-per-caller", 100));
    Sample.write(small.resolve("kept"), 4, 7 << 20);
    Path large = folder.resolve("large");
    Sample.write(large, 3, 12 << 20);

    Curl.Response chunked =
        storage
            .curl("/data/large")
            .token(storage.token())
            .header("Transfer-Encoding", "chunked")
            .upload(large)
            .run();
    assertThat(chunked.status()).as(chunked.toString()).isEqualTo(507);
    Curl.Response copied =
        storage
            .curl("/data/kept")
            .token(storage.token())
            .method("COPY")
            .header("Destination", storage.url("/data/second"))
            .run();
    assertThat(copied.status()).as(copied.toString()).isEqualTo(507);
    Curl.Response ranged =
        storage
            .curl("/data/kept")
            .token(storage.token())
            .method("PUT")
            .header("Content-Range", "bytes 0-0/*")
            .body("x")
            .run();
    assertThat(ranged.status()).as(ranged.toString()).isEqualTo(507);
    Curl.Response begun =
        storage
            .curl("/data/parts")
            .token(storage.token())
            .method("PUT")
            .header("Upload-Complete", "?0")
            .body("x")
            .run();
    Curl.Response parts =
        storage
            .curl(begun.header("Location").orElseThrow())
            .token(storage.token())
            .method("PATCH")
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", "1")
            .header("Upload-Complete", "?1")
            .header("Transfer-Encoding", "chunked")
            .upload(large)
            .run();
    assertThat(parts.status()).as(parts.toString()).isEqualTo(507);
    assertThat(room()).isGreaterThanOrEqualTo(20_000_000);
    assertThat(small.resolve("large")).doesNotExist();
    assertThat(small.resolve("second")).doesNotExist();
  }

  private String tokenOf(String subject) {
    return storage
        .issuer()
        .token()
        .subject(subject)
        .scope("storage.read:/ storage.modify:/")
        .audience(RunningStorage.AUDIENCE)
        .sign();
  }

  /** Begins an upload and goes no further. */
  private RawClient begun(String path, String token, int length) throws IOException {
    RawClient client = RawClient.to(storage.port(), storage.authority());
    client.send(
        "PUT %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n".formatted(path, token)
            + "Expect: 100-continue\r\nContent-Length: %d\r\n\r\n".formatted(length));
    return client;
  }

  private Curl.Response put(String name, String token, int length) throws IOException {
    Path file = folder.resolve(name);
    Sample.write(file, 1, length);
    return storage.curl("/data/" + name).token(token).upload(file).run();
  }

  private void restartWithShares() {
    storage.close();
    storage = RunningStorage.start(folder.resolve("element"), authority, issuer, Map.of());
  }

  @Test
  void oneCallersUploadsLeaveRoomForThoseOfOthers() throws IOException {
    restartWithShares();
    String alice = tokenOf("alice");
    int most = 20 << 20;
    try (RawClient one = begun("/data/most", alice, most);
        RawClient all = begun("/data/all", alice, (int) room() - (1 << 20))) {
      assertThat(one.readHead()).startsWith("HTTP/1.1 100 ");
      assertThat(all.readHead()).as("more than a share").startsWith("HTTP/1.1 507 ");

      Curl.Response more = put("more", alice, 8 << 20);
      assertThat(more.status()).as(more.toString()).isEqualTo(429);
      assertThat(more.header("Retry-After")).isPresent();
      assertThat(more.text()).contains("your uploads under way").hasLineCount(1);
      assertThat(put("of-another", tokenOf("bob"), 4 << 20).status()).isEqualTo(201);
    }
    Path more = folder.resolve("more");
    Eventually.holds(
        "who has ended its own goes on",
        () -> storage.curl("/data/more").token(alice).upload(more).run().status() == 201);
  }

  @Test
  void partsThatOneCallerLeavesLyingLeaveRoomForOthersAlsoAfterARestart() throws IOException {
    restartWithShares();
    for (int i = 0; i < 2; i++) {
      Path part = folder.resolve("part");
      Sample.write(part, 1, 10 << 20);
      Curl.Response left =
          storage
              .curl("/data/part" + i)
              .token(tokenOf("alice"))
              .method("PUT")
              .header("Upload-Complete", "?0")
              .upload(part)
              .run();
      assertThat(left.status()).as(left.toString()).isEqualTo(201);
    }
    for (int i = 0; i < 2; i++) {
      Curl.Response more = put("more", tokenOf("alice"), 6 << 20);
      assertThat(more.status()).as(more.toString()).isEqualTo(429);
      assertThat(put("of-another", tokenOf("bob"), 4 << 20).status()).isIn(201, 204);
      restartWithShares();
    }
  }

  @Test
  void uploadWithoutALengthEndsAtTheShareOfItsCaller() throws IOException {
    restartWithShares();
    Path large = folder.resolve("large");
    Sample.write(large, 3, TOO_MUCH);
    try (RawClient bob = begun("/data/of-another", tokenOf("bob"), 4 << 20)) {
      assertThat(bob.readHead()).startsWith("HTTP/1.1 100 ");
      Curl.Response put =
          storage
              .curl("/data/large")
              .token(tokenOf("alice"))
              .header("Transfer-Encoding", "chunked")
              .upload(large)
              .run();
      assertThat(put.status()).as(put.toString()).isEqualTo(507);
      assertThat(put.text()).contains("your uploads under way").hasLineCount(1);
    }
  }

  @Test
  void pullsOfOneCallerLeaveRoomForUploadsOfOthers() throws IOException {
    restartWithShares();
    try (HeldSource source = new HeldSource(storage.authority(), 12 << 20, true);
        Client client = new Client(storage.authority(), tokenOf("alice"));
        RawClient begun = begun("/data/begun", tokenOf("alice"), 16 << 20)) {
      assertThat(begun.readHead()).startsWith("HTTP/1.1 100 ");
      Client.Answer pull = client.pull(storage.url("/data/pulled"), source.url("/file"));
      assertThat(pull.status()).as(pull.text()).isEqualTo(429);
      assertThat(pull.retryAfter()).isPresent();
      assertThat(put("of-another", tokenOf("bob"), 4 << 20).status()).isEqualTo(201);
    }
  }

  @Test
  void healthIsDownWhileTheAreaIsFull() throws IOException {
    Path filler = small.resolve("kept");
    Sample.write(filler, 5, room() - 4096);
    Eventually.holds("full", () -> room() <= 4096);
    try {
      Files.write(small.resolve("last"), new byte[(int) room()]);
    } catch (IOException full) {
      // as wanted
    }
    Curl.Response health = storage.curl("/.staithe/health").run();
    assertThat(health.status()).as(health.text()).isEqualTo(503);
    assertThat(health.text()).doesNotContain(small.toString());
    try (Stream<Path> left = Files.walk(small.resolve(".staithe/stage"))) {
      assertThat(left.filter(Files::isRegularFile).filter(p -> !p.endsWith("lock")))
          .as("what was tried to write")
          .isEmpty();
    }

    Files.delete(filler);
    assertThat(storage.curl("/.staithe/health").run().status()).isEqualTo(200);
  }
}
