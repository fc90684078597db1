package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.storage.contracts.journal.KeptContracts;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Receivers that ask for parts by hand, and for more than was agreed: one real sender. */
@SuppressWarnings("try")
final class ContractPartAttackTests {
  @TempDir private Path folder;
  private ContractPair pair;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  /** One pull by hand, of which each thing may be changed before it is sent. */
  private final class Hand {
    private final RunningStorage s;
    private ContractKey key;
    private String token;
    private final String path;
    private final String id = UUID.randomUUID().toString();
    private String agreed = "";

    Hand(RunningStorage s) throws Exception {
      this(s, "/data/file");
    }

    Hand(RunningStorage s, String path) throws Exception {
      this.s = s;
      this.path = path;
      this.key = ContractKey.read(pair.key("r"));
      this.token = s.token();
    }

    /** With the credential of another pull. */
    Hand by(Hand another) {
      token = another.token;
      return this;
    }

    private String hashOfToken() {
      return HexFormat.of()
          .formatHex(Hash.of(("Bearer " + token).getBytes(StandardCharsets.UTF_8)));
    }

    private Map<String, List<String>> signed(
        String method, String url, Map<String, List<String>> fields, SignatureProfile profile)
        throws Exception {
      MessageSignature signature =
          MessageSignature.sign(
              SignedMessage.request(method, url, fields),
              key,
              new MessageSignature.Wanted(
                  "hand",
                  profile.covered(),
                  Instant.now(),
                  Duration.ofMinutes(5),
                  UUID.randomUUID().toString(),
                  profile.tag()));
      Map<String, List<String>> all = new LinkedHashMap<>(fields);
      all.put("signature-input", List.of(signature.inputField()));
      all.put("signature", List.of(signature.signatureField()));
      return all;
    }

    private static Curl with(Curl curl, Map<String, List<String>> fields) {
      fields.forEach((name, values) -> curl.header(name, values.getFirst()));
      return curl;
    }

    private Map<String, List<String>> asking(String method) throws Exception {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(id, "", hashOfToken()).encode()));
      fields.put(
          "host-properties",
          List.of(
              HostProperties.sign(
                      "https://" + host(pair.portOfR),
                      Map.of("jurisdiction", "DE"),
                      key,
                      Instant.now())
                  .text()));
      fields.put("want-repr-digest", List.of("sha-256=10"));
      return signed(method, pair.atS(path), fields, SignatureProfile.REQUEST);
    }

    /** Asks for the contract, and is answered. */
    Hand agreed() throws Exception {
      Map<String, List<String>> fields = asking("HEAD");
      Curl.Response answer = with(s.curl(path).token(token).head(), fields).run();
      assertThat(answer.status()).isEqualTo(200);
      Map<String, List<String>> back = new LinkedHashMap<>();
      for (String name :
          List.of("contract", "content-length", "repr-digest", "signature-input", "signature")) {
        back.put(name, List.of(answer.header(name).orElseThrow()));
      }
      agreed =
          ContractRecord.Part.of(
                  SignatureProfile.ANSWER.find(
                      SignedMessage.answer(
                          200, back, SignedMessage.request("HEAD", pair.atS(path), fields))))
              .hash();
      return this;
    }

    Map<String, List<String>> asking(String url, String forId, String range) throws Exception {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put(
          "contract", List.of(new ContractField(forId, "", hashOfToken(), -1, agreed).encode()));
      fields.put("want-repr-digest", List.of("sha-256=10"));
      fields.put("range", List.of(range));
      return signed("GET", url, fields, SignatureProfile.PART);
    }

    Curl.Response part(String range) throws Exception {
      return send(asking(pair.atS(path), id, range));
    }

    Curl.Response send(Map<String, List<String>> fields) {
      return with(s.curl(path).token(token), fields).run();
    }

    Curl.Response receipt() throws Exception {
      String body =
          new Received(true, ContractPair.SIZE, Hash.of(pair.content), Instant.EPOCH).encode();
      String to = "/.staithe/contracts/" + id;
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(id, "", "").encode()));
      fields.put(
          "content-digest",
          List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8)))));
      return with(
              s.curl(to).method("POST").body(body).header("Content-Type", "text/plain"),
              signed("POST", pair.atS(to), fields, SignatureProfile.RECEIPT))
          .run();
    }
  }

  private static void refused(Curl.Response answer, String why) {
    assertThat(answer.status()).as(answer.text()).isGreaterThanOrEqualTo(400);
    assertThat(answer.text()).contains(why);
  }

  @Test
  void partOfSomethingElseThanWasAgreedIsRefused() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      Files.write(s.data().resolve("other"), pair.content);
      refused(new Hand(s).part("bytes=0-9"), "for the whole file");
      Hand unknown = new Hand(s);
      unknown.agreed = "ab".repeat(32);
      refused(unknown.part("bytes=0-9"), "nothing may be asked for");
      Hand whole = new Hand(s);
      assertThat(whole.send(whole.asking("GET")).status()).isEqualTo(200);
      whole.agreed = "ab".repeat(32);
      refused(whole.part("bytes=0-9"), "nothing may be asked for");

      Hand first = new Hand(s).agreed();
      // By the same credential, so that it is not that which is refused.
      Hand other = new Hand(s, "/data/other").by(first).agreed();
      refused(first.send(first.asking(pair.atS("/data/other"), first.id, "bytes=0-9")), "not by");
      refused(
          other.send(other.asking(pair.atS("/data/other"), first.id, "bytes=0-9")), "else than");
      refused(first.send(first.asking(pair.atS("/data/file"), other.id, "bytes=0-9")), "else than");
      Hand again = new Hand(s).by(first).agreed();
      refused(again.send(again.asking(pair.atS("/data/file"), first.id, "bytes=0-9")), "else than");
      other.agreed = first.agreed;
      refused(
          other.send(other.asking(pair.atS("/data/other"), first.id, "bytes=0-9")), "else than");
      Map<String, List<String>> more = first.asking(pair.atS("/data/file"), first.id, "bytes=0-9");
      more.put("range", List.of("bytes=0-99"));
      refused(first.send(more), "not by the key that it names");
      Map<String, List<String>> unsigned =
          first.asking(pair.atS("/data/file"), first.id, "bytes=0-9");
      unsigned.remove("signature");
      refused(first.send(unsigned), "not signed");
      refused(first.send(first.asking("GET")), "asked for before");
      ContractKey own = first.key;
      Path file = folder.resolve("stranger.pem");
      Pem.writePrivateKey(file, KeyKind.EC_P256.generate().getPrivate());
      first.key = ContractKey.read(file);
      refused(first.part("bytes=0-9"), "no key that");
      first.key = own;
      String token = first.token;
      String another = s.token("storage.read:/ storage.modify:/ storage.create:/");
      Map<String, List<String>> stolen =
          first.asking(pair.atS("/data/file"), first.id, "bytes=0-9");
      first.token = another;
      refused(first.part("bytes=0-9"), "else than was agreed");
      refused(first.send(stolen), "another credential");
      first.token = token;
      for (String range :
          List.of(
              "bytes=-5",
              "bytes=5-",
              "bytes=9-5",
              "bytes=0-9,20-29",
              "bytes=0-" + ContractPair.SIZE,
              "lines=0-9")) {
        refused(first.part(range), "no such part");
      }
      assertThat(first.part("bytes=0-9").body()).isEqualTo(Arrays.copyOf(pair.content, 10));
      Trials.held(20);
    }
  }

  @Test
  void eachByteGoesOutOnceAndNoneAfterTheReceipt() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      Hand hand = new Hand(s).agreed();
      assertThat(hand.part("bytes=100-199").body())
          .isEqualTo(Arrays.copyOfRange(pair.content, 100, 200));
      for (String again : List.of("100-199", "150-160", "0-100", "199-300", "0-1000")) {
        refused(hand.part("bytes=" + again), "was asked for before");
      }
      refused(hand.receipt(), "parts were not asked for");
      assertThat(hand.part("bytes=0-99").status()).isEqualTo(206);
      refused(hand.receipt(), "parts were not asked for");
      assertThat(pair.rows("s").getFirst().state()).isEqualTo("sending");
      assertThat(hand.part("bytes=200-" + (ContractPair.SIZE - 1)).status()).isEqualTo(206);
      assertThat(hand.part("bytes=0-99").status()).isIn(403, 409);
      assertThat(hand.receipt().status()).isEqualTo(201);
      refused(hand.part("bytes=0-99"), "not any more");
      assertThat(pair.rows("s").getFirst().state()).isEqualTo("received");
      Trials.held(9);
    }
  }

  @Test
  void fileThatIsNotAnyMoreWhatWasSignedDoesNotGoOut() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      Hand whole = new Hand(s).agreed();
      Map<String, List<String>> fields =
          whole.asking(pair.atS("/data/file"), whole.id, "bytes=0-9");
      // A validator that does not hold asks for the whole (RFC 9110 section 13.1.5).
      fields.put("if-range", List.of("\"another\""));
      refused(whole.send(fields), "not any more what was signed");
      refused(whole.part("bytes=0-9"), "not any more");
      refused(whole.receipt(), "parts were not asked for");

      Hand changed = new Hand(s).agreed();
      byte[] other = pair.content.clone();
      other[ContractPair.SIZE - 1]++;
      Files.write(s.data().resolve("file"), other);
      refused(changed.part("bytes=0-9"), "not any more what was signed");
      assertThat(pair.rows("s")).extracting(KeptContracts.Row::state).containsOnly("broken");
      Trials.held(4);
    }
  }
}
