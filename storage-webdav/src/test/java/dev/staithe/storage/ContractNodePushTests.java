package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.audit;
import static dev.staithe.storage.ContractPair.host;
import static dev.staithe.storage.ContractPair.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.redirect.OfferTickets;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pushes from {@code s} to a head {@code r}, which sends their offers on to the data node {@code
 * n}.
 */
@SuppressWarnings("try")
final class ContractNodePushTests {
  private static final String HOSTS = "staithe.areas[0].contracts.hosts";

  @TempDir private Path folder;
  private final int portOfN = FreePort.next();
  private ContractPair pair;
  private Path key;

  @BeforeEach
  void prepare() throws Exception {
    pair = new ContractPair(folder);
    Pem.writePrivateKey(pair.key("n"), KeyKind.EC_P256.generate().getPrivate());
    key =
        Files.createFile(
            folder.resolve("tickets"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, "6b6579".repeat(12));
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  private RunningStorage startSender(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(HOSTS, host(pair.portOfR) + "," + host(portOfN));
    settings.putAll(more);
    return pair.startS(settings);
  }

  private RunningStorage startHead(String fromSize) {
    return pair.startR(
        Map.of(
            "staithe.redirect.key-file",
            key,
            "staithe.redirect.nodes",
            "https://" + host(portOfN),
            "staithe.redirect.from-size",
            fromSize,
            "staithe.redirect.check-interval",
            "1s"));
  }

  private static void awaitNode(RunningStorage head, String read) {
    Eventually.holds(
        "the head sends clients on",
        () -> head.curl(read).token(head.token()).run().status() == 307);
  }

  private RunningStorage startNode(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.areas[0].root", folder.resolve("r/data"));
    settings.put("staithe.redirect.key-file", key);
    settings.putAll(more);
    return pair.start("n", portOfN, pair.portOfS, settings);
  }

  private static CopyAnswer pushAt(RunningStorage s, String file, String destination) {
    return CopyAnswer.of(
        s.curl(file)
            .token(s.token())
            .header("Destination", destination)
            .header("Credential", "none")
            .header("TransferHeaderAuthorization", "Bearer " + s.token())
            .method("COPY")
            .run());
  }

  @Test
  void pushIsUnderAContractOfItsOwnWithTheNodeThatGetsTheBytes() throws Exception {
    Files.writeString(folder.resolve("s/data/small"), "small");
    try (RunningStorage s = startSender(Map.of());
        RunningStorage r = startHead("100KB")) {
      push(s, pair.atR("/data/before")).succeeded(ContractPair.SIZE);
      assertThat(pair.rows("r")).as("no node is well").hasSize(1);
      try (RunningStorage n = startNode(Map.of())) {
        awaitNode(r, "/data/before");
        pushAt(s, "/data/small", pair.atR("/data/small")).succeeded(5);
        assertThat(pair.rows("r")).as("small ones stay").hasSize(2);

        push(s, pair.atR("/data/large")).succeeded(ContractPair.SIZE);
        assertThat(r.data().resolve("large")).hasBinaryContent(pair.content);
        assertThat(pair.rows("r")).as("nothing of it is the head's").hasSize(2);
        assertThat(pair.rows("n"))
            .singleElement()
            .matches(row -> row.state().equals("acknowledged"));
        assertThat(pair.rows("s")).hasSize(3).allMatch(row -> row.state().equals("received"));
        byte[] sender = pair.rows("s").getLast().own();
        assertThat(pair.rows("n").getFirst().partner()).isEqualTo(sender);
        String node = "https://" + host(portOfN);
        assertThat(audit(s, n, s, sender))
            .allMatch(ContractAudit.Finding::good)
            .anyMatch(f -> f.line().contains(node + "/data/large"));
        assertThat(audit(s, n, n, pair.rows("n").getFirst().own()))
            .allMatch(ContractAudit.Finding::good);
        assertThat(audit(s, r, s, sender))
            .as("by the head's keys it is no contract")
            .anyMatch(f -> !f.good());
        for (RunningStorage each : List.of(s, n)) {
          assertThat(
                  each.curl("/.staithe/contracts?path=/data/large")
                      .run()
                      .text()
                      .replace("\\/", "/"))
              .contains("\"receiver\":\"" + node + "\"");
        }
      }
    }
  }

  @Test
  void nodeThatIsNoPartnerOfTheSenderOrLacksWhatItWantsGetsNothing() throws Exception {
    try (RunningStorage r = startHead("1B")) {
      Files.writeString(r.data().resolve("probe"), "probe");
      try (RunningStorage n = startNode(Map.of())) {
        awaitNode(r, "/data/probe");
        try (RunningStorage s = startSender(Map.of(HOSTS, host(pair.portOfR)))) {
          CopyAnswer refused = push(s, pair.atR("/data/file"));
          assertThat(refused.status()).isEqualTo(403);
          assertThat(refused.last()).contains("has none with " + host(portOfN));
          assertThat(pair.rows("s")).isEmpty();
        }
        try (RunningStorage s =
            startSender(Map.of("staithe.areas[0].contracts.properties[0]", "retention >= 90d"))) {
          assertThat(push(s, pair.atR("/data/file")).last())
              .contains(host(portOfN) + " may not have the file")
              .contains("wanted retention >= 90d, offered [P30D]");
          assertThat(pair.rows("s")).isEmpty();
        }
        assertThat(r.data().resolve("file")).doesNotExist();
        try (RunningStorage s =
            startSender(
                Map.of(HOSTS, host(pair.portOfR), "staithe.areas[0].contracts.mode", "offer"))) {
          push(s, pair.atR("/data/as-ever")).succeeded(ContractPair.SIZE);
          assertThat(pair.rows("s")).isEmpty();
        }
        assertThat(pair.rows("n")).isEmpty();
      }
      try (RunningStorage n = startNode(ContractPair.mode("offer"));
          RunningStorage s = startSender(Map.of())) {
        awaitNode(r, "/data/probe");
        assertThat(push(s, pair.atR("/data/file")).last())
            .contains("by contract only, and this node has none");
        assertThat(r.data().resolve("file")).doesNotExist();
      }
    }
  }

  /** One push by hand to a URL to which the head has sent its offer. */
  private PushByHand sentOn(RunningStorage r, RunningStorage n, String path) throws Exception {
    PushByHand atHead = new PushByHand(pair, r, pair.portOfR, path, r.token());
    Curl.Response sent = atHead.offer();
    assertThat(sent.status()).as(sent.text()).isEqualTo(307);
    return at(n, sent.header("Location").orElseThrow());
  }

  private PushByHand at(RunningStorage n, String location) throws Exception {
    String origin = "https://" + host(portOfN);
    assertThat(location).startsWith(origin + "/");
    return new PushByHand(pair, n, portOfN, location.substring(origin.length()), "");
  }

  private static void refused(Curl.Response answer, int status, String why) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.text()).contains(why);
    assertThat(answer.text().strip()).doesNotContain("\n");
  }

  @Test
  void ticketOfAnOfferIsGoodForThatOfferAndItsPutOnly() throws Exception {
    try (RunningStorage r = startHead("1B")) {
      Files.writeString(r.data().resolve("probe"), "probe");
      try (RunningStorage s = startSender(Map.of());
          RunningStorage n =
              startNode(Map.of(HOSTS, host(pair.portOfS) + "," + host(pair.portOfR)))) {
        awaitNode(r, "/data/probe");

        PushByHand twice = sentOn(r, n, "/data/twice");
        assertThat(twice.offer().status()).isEqualTo(200);
        twice.id = "01999999-0000-7000-8000-000000000001";
        refused(twice.offer(), 401, "the ticket was used already");

        PushByHand bare = sentOn(r, n, "/data/bare");
        refused(
            n.curl(bare.path).method("PUT").body("x").run(),
            403,
            "the ticket is for a file that comes by contract");
        refused(n.curl(bare.path).method("PUT").body("x").run(), 401, "used already");
        PushByHand unagreed = sentOn(r, n, "/data/unagreed");
        refused(unagreed.deliver(), 403, "nothing was agreed");
        for (String method : List.of("GET", "DELETE", "COPY", "MKCOL")) {
          refused(n.curl(bare.path).method(method).run(), 401, "for another request");
        }
        PushByHand elsewhere = sentOn(r, n, "/data/elsewhere");
        elsewhere.path = elsewhere.path.replace("/data/elsewhere", "/data/probe");
        elsewhere.url = elsewhere.url.replace("/data/elsewhere", "/data/probe");
        refused(elsewhere.offer(), 401, "for another request");

        // Another partner, that can sign for itself, found the ticket.
        PushByHand stolen = sentOn(r, n, "/data/stolen");
        stolen.key = ContractKey.read(pair.key("r"));
        stolen.properties = PushByHand.properties(stolen.key, pair.portOfR);
        refused(stolen.offer(), 403, "the ticket is for another host's offer");
        PushByHand taken = sentOn(r, n, "/data/taken");
        assertThat(taken.offer().status()).isEqualTo(200);
        taken.key = ContractKey.read(pair.key("r"));
        refused(taken.deliver(), 403, "no key that " + host(pair.portOfS));

        PushByHand across = sentOn(r, n, "/data/across");
        across.url = pair.atR("/data/across");
        refused(across.offer(), 403, "not by the key that it names");
        PushByHand agreed = sentOn(r, n, "/data/agreed");
        assertThat(agreed.offer().status()).isEqualTo(200);
        PushByHand atHead = new PushByHand(pair, r, pair.portOfR, "/data/agreed", r.token());
        atHead.id = agreed.id;
        atHead.agreed = agreed.agreed;
        refused(atHead.deliver(), 403, "nothing was agreed");
        PushByHand other = sentOn(r, n, "/data/agreed");
        other.id = agreed.id;
        other.agreed = agreed.agreed;
        refused(other.deliver(), 403, "another contract than was agreed");

        String old =
            OfferTickets.make(key, "/data/old", host(pair.portOfS), Instant.now().minusSeconds(61));
        refused(
            at(n, "https://" + host(portOfN) + "/data/old?ticket=" + old).offer(),
            401,
            "the ticket has expired");
        // It does not hold the bytes back from who has the ticket of an upload.
        String upload =
            r.curl("/data/upload")
                .token(r.token())
                .upload(pair.key("s"))
                .header("Expect", "100-continue")
                .run()
                .header("Location")
                .orElseThrow();
        refused(at(n, upload).offer(), 401, "for another request");

        assertThat(pair.rows("n")).as("nothing has begun").isEmpty();
        for (String name : List.of("twice", "bare", "unagreed", "stolen", "taken", "across")) {
          assertThat(r.data().resolve(name)).doesNotExist();
        }
        assertThat(r.data().resolve("probe")).hasContent("probe");

        // The host in whose name it was signed knows nothing of it: no name without a receipt.
        PushByHand unknown = sentOn(r, n, "/data/unknown");
        assertThat(unknown.offer().status()).isEqualTo(200);
        refused(unknown.deliver(), 503, "does not take the receipt");
        refused(unknown.deliver(), 401, "used already");
        assertThat(r.data().resolve("unknown")).doesNotExist();
        Trials.held(18);
      }
    }
  }

  @Test
  void offerThatTheHeadWouldNotTakeGetsNoTicket() throws Exception {
    try (RunningStorage r = startHead("1B")) {
      Files.writeString(r.data().resolve("probe"), "probe");
      try (RunningStorage n = startNode(Map.of())) {
        awaitNode(r, "/data/probe");
        PushByHand reads =
            new PushByHand(pair, r, pair.portOfR, "/data/probe", r.token("storage.read:/"));
        assertThat(reads.offer().status()).isEqualTo(403);
        PushByHand creates =
            new PushByHand(pair, r, pair.portOfR, "/data/probe", r.token("storage.create:/"));
        assertThat(creates.offer().status()).isEqualTo(403);
        PushByHand stranger = new PushByHand(pair, r, pair.portOfR, "/data/x", r.token());
        stranger.properties = PushByHand.properties(stranger.key, portOfN);
        refused(stranger.offer(), 403, "no contracts with");
        String lock =
            r.curl("/data/locked")
                .token(r.token())
                .method("LOCK")
                .header("Content-Type", "application/xml")
                .body(
                    "<lockinfo xmlns='DAV:'><lockscope><exclusive/></lockscope>"
                        + "<locktype><write/></locktype></lockinfo>")
                .run()
                .header("Lock-Token")
                .orElseThrow();
        assertThat(lock).isNotBlank();
        assertThat(
                new PushByHand(pair, r, pair.portOfR, "/data/locked", r.token()).offer().status())
            .isEqualTo(423);
        PushByHand stays = new PushByHand(pair, r, pair.portOfR, "/data/x?no_redirect", r.token());
        // Its keys cannot be had: this host judges it itself.
        assertThat(stays.offer().status()).isEqualTo(503);
        Trials.held(4);
      }
    }
  }
}
