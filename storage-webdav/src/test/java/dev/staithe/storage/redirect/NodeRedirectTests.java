package dev.staithe.storage.redirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A head node and a data node on the same files. */
class NodeRedirectTests {
  private static final int LARGE = 200_000;

  @TempDir static Path folder;
  private static RunningStorage node;
  private static RunningStorage head;
  private static Path key;
  private static Path large;
  private static Path accessLog;

  @BeforeAll
  static void start() throws IOException {
    key =
        Files.createFile(
            folder.resolve("key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
    byte[] content = new byte[LARGE];
    new Random(3).nextBytes(content);
    large = Files.write(folder.resolve("large"), content);
    head = null;
    accessLog = folder.resolve("access.jsonl");
    node =
        RunningStorage.beside(
            RunningStorage.shared(),
            folder.resolve("node"),
            Map.of("staithe.redirect.key-file", key));
    head = head(folder.resolve("head"), node);
  }

  private static RunningStorage head(Path home, RunningStorage to) {
    RunningStorage started =
        RunningStorage.beside(
            node,
            home,
            Map.of(
                "staithe.redirect.key-file",
                key,
                "staithe.redirect.nodes",
                "https://localhost:" + to.port(),
                "staithe.redirect.from-size",
                "100KB",
                "staithe.redirect.check-interval",
                "1s",
                "staithe.access-log.file",
                accessLog,
                "staithe.areas[0].root",
                node.data(),
                "staithe.areas[1].root",
                node.open()));
    put(to, "/data/probe");
    Eventually.holds(
        "the head sends clients on", () -> get(started, "/data/probe").run().status() == 307);
    return started;
  }

  @AfterAll
  static void stop() {
    head.close();
    node.close();
  }

  private static Curl get(RunningStorage at, String path) {
    return at.curl(path).token(at.token());
  }

  private static void put(RunningStorage at, String path) {
    assertThat(get(at, path).upload(large).run().status()).isLessThan(300);
  }

  /** The URL that the head sends a reader to. */
  private static String target(String path) {
    Curl.Response response = get(head, path).run();
    assertThat(response.status()).isEqualTo(307);
    assertThat(response.header("Cache-Control")).contains("no-store");
    return response.header("Location").orElseThrow();
  }

  private static Curl open(String url) {
    return Curl.to(url).trusting(node.authority());
  }

  @Test
  void largeFileComesFromTheNodeAndSmallOnesFromHere() throws IOException {
    put(node, "/data/a%20file");
    get(node, "/data/small").method("PUT").body("12345").run();
    assertThat(target("/data/a%20file"))
        .startsWith("https://localhost:" + node.port() + "/data/a%20file?ticket=");
    assertThat(get(head, "/data/a%20file").following().run().body())
        .isEqualTo(Files.readAllBytes(large));
    assertThat(get(head, "/data/a%20file").header("Range", "bytes=7-9").following().run().body())
        .hasSize(3);
    assertThat(get(head, "/data/small").run().text()).isEqualTo("12345");
    assertThat(get(head, "/data/").run().status()).isEqualTo(200);
    assertThat(get(head, "/data/a%20file").head().run().status()).isEqualTo(200);
  }

  /** Each of its characters takes four in a ticket, and a node would not take that. */
  @Test
  void fileWhosePathIsTooLongForATicketIsServedHere() throws IOException {
    String path = "/data" + ("/" + "%26".repeat(250)).repeat(9);
    put(node, path);
    assertThat(get(head, path).following().run().body()).isEqualTo(Files.readAllBytes(large));
    assertThat(
            get(head, path)
                .upload(large)
                .header("Expect", "100-continue")
                .following()
                .run()
                .status())
        .isEqualTo(204);
  }

  @Test
  void clientThatWantsNoRedirectIsServedHere() throws IOException {
    put(node, "/data/here");
    assertThat(get(head, "/data/here?no_redirect").run().body())
        .isEqualTo(Files.readAllBytes(large));
    assertThat(get(head, "/data/here?x=1&no_redirect=true").run().status()).isEqualTo(200);
  }

  @Test
  void uploadGoesToTheNodeWhereTheClientWaitsForIt() throws IOException {
    Curl.Response waiting =
        get(head, "/data/up").upload(large).header("Expect", "100-continue").run();
    assertThat(waiting.status()).isEqualTo(307);
    assertThat(node.data().resolve("up")).doesNotExist();
    Curl.Response followed =
        get(head, "/data/up").upload(large).header("Expect", "100-continue").following().run();
    assertThat(followed.status()).isEqualTo(201);
    assertThat(node.data().resolve("up")).hasSameBinaryContentAs(large);
    assertThat(
            get(head, "/data/by-contract")
                .upload(large)
                .header("Expect", "100-continue")
                .header("Contract", "id=\"0\"")
                .run()
                .status())
        .as("this host has agreed to it, and no other")
        .isEqualTo(201);
    assertThat(get(head, "/data/at-once").upload(large).header("Expect", "").run().status())
        .isEqualTo(201);
  }

  @Test
  void requestThatIsNotAllowedIsRefusedHere() {
    put(node, "/data/private");
    assertThat(head.curl("/data/private").run().status()).isEqualTo(401);
    assertThat(head.curl("/data/private").token(head.token("storage.read:/other")).run().status())
        .isEqualTo(403);
    assertThat(
            head.curl("/data/private")
                .token(head.token("storage.create:/"))
                .upload(large)
                .header("Expect", "100-continue")
                .following()
                .run()
                .status())
        .isEqualTo(403);
  }

  @Test
  void ticketIsTakenOnce() {
    put(node, "/data/once");
    String url = target("/data/once");
    assertThat(open(url).run().status()).isEqualTo(200);
    Curl.Response again = open(url).run();
    assertThat(again.status()).isEqualTo(401);
    assertThat(again.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
    assertThat(again.text()).isEqualTo("the ticket was used already\n");
  }

  @Test
  void ticketIsGoodForItsOwnPathAndMethodOnly() {
    put(node, "/data/mine");
    put(node, "/data/other");
    String url = target("/data/mine");
    assertThat(open(url.replace("/mine", "/other")).run().status()).isEqualTo(401);
    assertThat(open(url.replace("/data/mine", "/data/")).run().status()).isEqualTo(401);
    assertThat(open(url).method("DELETE").run().status()).isEqualTo(401);
    assertThat(open(url).upload(large).run().status()).isEqualTo(401);
    assertThat(open(url).method("COPY").header("Destination", "/data/copy").run().status())
        .isEqualTo(401);
    assertThat(open(url).head().run().status()).isEqualTo(401);
    assertThat(node.data().resolve("mine")).hasSameBinaryContentAs(large);
    assertThat(open(url).run().status()).as("and it is still good for that").isEqualTo(200);
  }

  @Test
  void ticketThatIsChangedOrForgedIsRefused() {
    put(node, "/data/forged");
    String url = target("/data/forged");
    int dot = url.lastIndexOf('.');
    for (String bad :
        new String[] {
          url.substring(0, dot),
          url.substring(0, dot + 1),
          url.substring(0, dot - 1) + (url.charAt(dot - 1) == 'A' ? 'B' : 'A') + url.substring(dot),
          url.substring(0, dot + 1) + "AAAA" + url.substring(dot + 5),
          url.substring(0, url.indexOf("ticket=")) + "ticket=",
          url.substring(0, url.indexOf("ticket=")) + "ticket",
          url + "&ticket=x",
          url.substring(0, url.indexOf("ticket=")) + "ticket=" + "x".repeat(10_000)
        }) {
      assertThat(open(bad).run().status()).as(bad).isEqualTo(401);
      Trials.held();
    }
    assertThat(open(url.replace("ticket=", "no_ticket=")).run().status()).isEqualTo(401);
    assertThat(open(url).run().status()).isEqualTo(200);
  }

  @Test
  void ticketOfOneWhoMayOnlyCreateDoesNotReplace() throws IOException {
    Curl.Response sent =
        head.curl("/data/race")
            .token(head.token("storage.create:/"))
            .upload(large)
            .header("Expect", "100-continue")
            .run();
    assertThat(sent.status()).isEqualTo(307);
    Files.writeString(node.data().resolve("race"), "came first");
    assertThat(open(sent.header("Location").orElseThrow()).upload(large).run().status())
        .isEqualTo(403);
    assertThat(node.data().resolve("race")).hasContent("came first");
  }

  @Test
  void serverWithoutTheKeyDoesNotTakeTickets() {
    put(node, "/data/elsewhere");
    String url = target("/data/elsewhere");
    URI shared = URI.create(RunningStorage.shared().url("/"));
    assertThat(open(url.replace(":" + node.port(), ":" + shared.getPort())).run().status())
        .isEqualTo(401);
  }

  @Test
  void ticketIsNotInTheAccessLog() throws IOException {
    put(node, "/data/logged");
    String url = target("/data/logged");
    // Taken by the head itself, whose log goes to a file.
    String ticket = url.substring(url.indexOf("ticket=") + 7);
    assertThat(open(head.url("/data/logged?ticket=" + ticket)).run().status()).isEqualTo(200);
    Eventually.holds(
        "it is logged", () -> logged().contains("\"path\":\"/data/logged\",\"status\":200"));
    assertThat(logged())
        .doesNotContain(ticket, ticket.substring(0, 30), "ticket=")
        .contains("tester@");
  }

  private static String logged() {
    try {
      return Files.readString(accessLog);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void nodeThatIsDeadIsLeftOut() {
    put(node, "/data/survives");
    RunningStorage dying =
        RunningStorage.beside(
            node, folder.resolve("dying"), Map.of("staithe.redirect.key-file", key));
    try (dying;
        RunningStorage other = head(folder.resolve("head-of-dying"), dying)) {
      assertThat(get(other, "/data/survives").run().status()).isEqualTo(307);
      dying.close();
      Eventually.holds(
          "files go out from the head", () -> get(other, "/data/survives").run().status() == 200);
    }
  }

  @Test
  void copyPullsThroughARedirect() {
    put(node, "/data/pulled");
    RunningStorage active = RunningStorage.shared();
    Curl.Response pull =
        get(active, "/data/from-head")
            .method("COPY")
            .header("Source", head.url("/data/pulled"))
            .header("TransferHeaderAuthorization", "Bearer " + head.token())
            .run();
    assertThat(pull.text()).endsWith("success: Created\n");
    assertThat(active.data().resolve("from-head")).hasSameBinaryContentAs(large);
  }
}
