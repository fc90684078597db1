package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Third-party copies with XRootD's server at the other end, as active and as passive party. */
class XrootdIT {
  private static final int SIZE = 20_000_003;

  @TempDir static Path folder;
  private static RunningStorage ours;
  private static XrootdServer xrootd;

  @BeforeAll
  static void start() {
    ours = RunningStorage.start(folder, Map.of());
    xrootd = XrootdServer.start(ours.authority().server());
  }

  @AfterAll
  static void stop() {
    xrootd.close();
    ours.close();
  }

  private static Curl copyByUs(String path) {
    return ours.curl(path)
        .method("COPY")
        .token(ours.token())
        .header("Credential", "none")
        .header("TransferHeaderAuthorization", "Bearer ignored-by-xrootd")
        .header("ClientInfo", "job-id=0e8fa4d2;file-id=7;retry=0");
  }

  private static Curl copyByXrootd(String path) {
    return Curl.to(xrootd.url(path))
        .trusting(ours.authority())
        .method("COPY")
        .header("Credential", "none");
  }

  private static String digest(Curl request) {
    return request.head().header("Want-Digest", "adler32").run().header("digest").orElse("none");
  }

  @Test
  void wePullFromXrootdAndBothChecksumsAgree() throws IOException {
    byte[] content = Sample.bytes(1, SIZE);
    xrootd.putFile("source-of-pull", content);

    CopyAnswer answer =
        CopyAnswer.ofOurs(
            copyByUs("/data/pulled")
                .header("Source", xrootd.url("/source-of-pull"))
                .header("RequireChecksumVerification", "true")
                .run());

    answer.succeeded(SIZE);
    assertThat(ours.data().resolve("pulled")).hasBinaryContent(content);
    String here = digest(ours.curl("/data/pulled").token(ours.token()));
    String there = digest(Curl.to(xrootd.url("/source-of-pull")).trusting(ours.authority()));
    assertThat(here)
        .isEqualToIgnoringCase(there)
        .isEqualTo("adler32=" + Sample.of(ours.data().resolve("pulled")).adler32());
  }

  @Test
  void wePullFromXrootdBySeveralStreams() throws IOException {
    byte[] content = Sample.bytes(2, 70_000_001);
    xrootd.putFile("source-of-stripes", content);

    CopyAnswer.ofOurs(
            copyByUs("/data/striped")
                .header("Source", xrootd.url("/source-of-stripes"))
                .header("X-Number-Of-Streams", "4")
                .run())
        .succeeded(content.length);

    assertThat(ours.data().resolve("striped")).hasBinaryContent(content);
  }

  @Test
  void wePushToXrootdAndItsChecksumIsCompared() throws IOException {
    Path file = ours.data().resolve("source-of-push");
    Sample sample = Sample.write(file, 3, SIZE);

    CopyAnswer.ofOurs(
            copyByUs("/data/source-of-push")
                .header("Destination", xrootd.url("/pushed"))
                .header("RequireChecksumVerification", "true")
                .run())
        .succeeded(SIZE);

    assertThat(Sample.of(xrootd.dataFolder().resolve("pushed"))).isEqualTo(sample);
  }

  @Test
  void emptyFilesTravelBothWays() throws IOException {
    xrootd.putFile("empty", new byte[0]);

    CopyAnswer.ofOurs(copyByUs("/data/empty").header("Source", xrootd.url("/empty")).run())
        .succeeded(0);
    CopyAnswer.ofOurs(
            copyByUs("/data/empty").header("Destination", xrootd.url("/empty-again")).run())
        .succeeded(0);

    assertThat(ours.data().resolve("empty")).isEmptyFile();
    assertThat(xrootd.dataFolder().resolve("empty-again")).isEmptyFile();
  }

  @Test
  void xrootdPullsFromUsWithTheTransferToken() throws IOException {
    Sample sample = Sample.write(ours.data().resolve("for xrootd"), 4, SIZE);

    CopyAnswer answer =
        CopyAnswer.of(
            copyByXrootd("/pulled-by-xrootd")
                .header("Source", ours.url("/data/for%20xrootd"))
                .header("TransferHeaderAuthorization", "Bearer " + ours.token("storage.read:/"))
                .run());

    assertThat(answer.status()).as(answer.raw().text()).isEqualTo(201);
    assertThat(answer.last()).isEqualTo("success: Created");
    assertThat(Sample.of(xrootd.dataFolder().resolve("pulled-by-xrootd"))).isEqualTo(sample);
  }

  @Test
  void xrootdPullsFromUsBySeveralStreams() throws IOException {
    Sample sample = Sample.write(ours.data().resolve("for-streams"), 5, 70_000_001);

    CopyAnswer answer =
        CopyAnswer.of(
            copyByXrootd("/pulled-by-streams")
                .header("Source", ours.url("/data/for-streams"))
                .header("X-Number-Of-Streams", "3")
                .header("TransferHeaderAuthorization", "Bearer " + ours.token("storage.read:/"))
                .run());

    assertThat(answer.last()).as(answer.raw().text()).isEqualTo("success: Created");
    assertThat(Sample.of(xrootd.dataFolder().resolve("pulled-by-streams"))).isEqualTo(sample);
  }

  @Test
  void xrootdPushesToUsWithTheTransferToken() throws IOException {
    byte[] content = Sample.bytes(6, SIZE);
    xrootd.putFile("push-source", content);

    CopyAnswer answer =
        CopyAnswer.of(
            copyByXrootd("/push-source")
                .header("Destination", ours.url("/data/pushed-by-xrootd"))
                .header("TransferHeaderAuthorization", "Bearer " + ours.token("storage.create:/"))
                .run());

    assertThat(answer.last()).as(answer.raw().text()).isEqualTo("success: Created");
    assertThat(ours.data().resolve("pushed-by-xrootd")).hasBinaryContent(content);
  }

  @Test
  void xrootdWithoutATokenIsRefusedAndTellsWhy() {
    xrootd.putFile("push-source-2", Sample.bytes(7, 1000));

    CopyAnswer pull =
        CopyAnswer.of(
            copyByXrootd("/never-pulled").header("Source", ours.url("/data/anything")).run());
    CopyAnswer push =
        CopyAnswer.of(
            copyByXrootd("/push-source-2")
                .header("Destination", ours.url("/data/never-pushed"))
                .run());

    assertThat(pull.raw().text()).contains("401");
    assertThat(push.raw().text()).contains("401");
    assertThat(ours.data().resolve("never-pushed")).doesNotExist();
  }

  @Test
  void pullOfWhatXrootdDoesNotHaveIs404AndLeavesNothing() {
    Curl.Response response =
        copyByUs("/data/nothing").header("Source", xrootd.url("/no-such-file")).run();

    assertThat(response.status()).as(response.text()).isEqualTo(404);
    assertThat(response.text().lines()).hasSize(1).first().asString().contains("404");
    assertThat(ours.data().resolve("nothing")).doesNotExist();
  }

  @Test
  void pushWhereXrootdMayNotWriteLeavesNothingAndSaysSo() throws IOException {
    Files.write(ours.data().resolve("unwanted"), Sample.bytes(8, 100_000));
    // A file stands where a folder would have to be.
    xrootd.putFile("file", new byte[1]);

    Curl.Response response =
        copyByUs("/data/unwanted").header("Destination", xrootd.url("/file/below")).run();

    CopyAnswer answer = CopyAnswer.of(response);
    assertThat(answer.last()).as(response.toString()).contains("rejected PUT");
    assertThat(answer.status()).isIn(202, 400, 403, 404, 409);
    assertThat(xrootd.dataFolder().resolve("file")).isRegularFile();
  }

  @Test
  void copyWithACredentialToDelegateIsRefused() {
    Curl.Response response =
        ours.curl("/data/delegated")
            .method("COPY")
            .token(ours.token())
            .header("Credential", "gridsite")
            .header("Source", xrootd.url("/any"))
            .run();

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text().lines()).hasSize(1);
  }
}
