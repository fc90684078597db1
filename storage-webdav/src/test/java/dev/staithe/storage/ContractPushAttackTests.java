package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.ContractField;
import dev.staithe.contracts.ContractKey;
import dev.staithe.contracts.ContractRecord;
import dev.staithe.contracts.Hash;
import dev.staithe.contracts.HostProperties;
import dev.staithe.contracts.MessageSignature;
import dev.staithe.contracts.SignatureProfile;
import dev.staithe.contracts.SignedMessage;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.Trials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that sign by hand, and wrongly: one real receiver. */
@SuppressWarnings("try")
final class ContractPushAttackTests {
  @TempDir private Path folder;
  private ContractPair pair;
  private final byte[] content = "bytes of great value".getBytes(StandardCharsets.UTF_8);

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  /** One push by hand, of which each part may be changed before it is sent. */
  private final class Hand {
    private final RunningStorage r;
    private ContractKey key;
    private String token;
    private String id = UUID.randomUUID().toString();
    private final String path = "/data/by-hand";
    private String url = pair.atR(path);
    private Instant created = Instant.now();
    private String properties;
    private byte[] body = content;
    private byte[] digest = Hash.of(content);
    private long size = content.length;
    private String hashOfToken;
    private String agreed = "";

    Hand(RunningStorage r) throws Exception {
      this.r = r;
      this.key = ContractKey.read(pair.key("s"));
      this.token = r.token();
      this.properties = properties(key);
      this.hashOfToken = hash("Bearer " + token);
    }

    private static String hash(String text) {
      return HexFormat.of().formatHex(Hash.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String properties(ContractKey by) {
      return HostProperties.sign(
              "https://" + host(pair.portOfS), Map.of("jurisdiction", "DE"), by, Instant.now())
          .text();
    }

    private MessageSignature sign(SignedMessage message, SignatureProfile profile)
        throws Exception {
      return MessageSignature.sign(
          message,
          key,
          new MessageSignature.Wanted(
              "hand",
              profile.covered(),
              created,
              Duration.ofMinutes(5),
              UUID.randomUUID().toString(),
              profile.tag()));
    }

    private Map<String, List<String>> offered() {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put("contract", List.of(new ContractField(id, "", hashOfToken, size, "").encode()));
      fields.put("host-properties", List.of(properties));
      fields.put("repr-digest", List.of(ContractAudit.digest(digest)));
      return fields;
    }

    private Curl.Response send(
        Curl curl, Map<String, List<String>> fields, MessageSignature signature) {
      fields.forEach((name, values) -> curl.header(name, values.getFirst()));
      return curl.token(token)
          .header("Signature-Input", signature.inputField())
          .header("Signature", signature.signatureField())
          .run();
    }

    /** Sends other fields than were signed. */
    Curl.Response offer(Map<String, List<String>> signed, Map<String, List<String>> sent)
        throws Exception {
      MessageSignature signature =
          sign(SignedMessage.request("POST", url, signed), SignatureProfile.OFFER);
      Curl.Response answer =
          send(r.curl(path).method("POST").header("Content-Length", "0"), sent, signature);
      if (answer.status() == 200) {
        Map<String, List<String>> all = new LinkedHashMap<>(signed);
        all.put("signature", List.of(signature.signatureField()));
        Map<String, List<String>> back = new LinkedHashMap<>();
        for (String name : List.of("contract", "host-properties", "signature-input", "signature")) {
          back.put(name, List.of(answer.header(name).orElseThrow()));
        }
        agreed =
            ContractRecord.Part.of(
                    SignatureProfile.AGREEMENT.find(
                        SignedMessage.answer(200, back, SignedMessage.request("POST", url, all))))
                .hash();
      }
      return answer;
    }

    Curl.Response offer() throws Exception {
      return offer(offered(), offered());
    }

    Curl.Response deliver() throws Exception {
      return deliver(id);
    }

    Curl.Response deliver(String forId) throws Exception {
      Map<String, List<String>> fields = new LinkedHashMap<>();
      fields.put(
          "contract", List.of(new ContractField(forId, "", hashOfToken, -1, agreed).encode()));
      fields.put("repr-digest", List.of(ContractAudit.digest(digest)));
      Map<String, List<String>> covered = new LinkedHashMap<>(fields);
      covered.put("content-length", List.of(String.valueOf(body.length)));
      MessageSignature signature =
          sign(SignedMessage.request("PUT", url, covered), SignatureProfile.DELIVERY);
      Path file = folder.resolve("body");
      Files.write(file, body);
      return send(r.curl(path).upload(file), fields, signature);
    }
  }

  private static void refused(Curl.Response answer, String why) {
    assertThat(answer.status()).as(answer.text()).isGreaterThanOrEqualTo(400);
    assertThat(answer.text()).contains(why);
  }

  @Test
  void offerThatWasMadeForSomethingElseOrBeforeIsRefused() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      Hand good = new Hand(r);
      assertThat(good.offer().status()).isEqualTo(200);
      refused(good.offer(), "offered before");

      Hand slow = new Hand(r);
      slow.created = Instant.now().minusSeconds(5 * 60 + 50);
      assertThat(slow.offer().status()).as("clocks 50 s apart").isEqualTo(200);
      Hand fast = new Hand(r);
      fast.created = Instant.now().plusSeconds(50);
      assertThat(fast.offer().status()).as("clocks 50 s apart").isEqualTo(200);
      Hand late = new Hand(r);
      late.created = Instant.now().minusSeconds(5 * 60 + 90);
      refused(late.offer(), "expired");
      Hand early = new Hand(r);
      early.created = Instant.now().plusSeconds(90);
      refused(early.offer(), "in the future");

      Hand changed = new Hand(r);
      Map<String, List<String>> digest = changed.offered();
      digest.put("repr-digest", List.of(ContractAudit.digest(Hash.of())));
      refused(changed.offer(changed.offered(), digest), "not by the key that it names");
      Hand longer = new Hand(r);
      Map<String, List<String>> size = longer.offered();
      size.put(
          "contract",
          List.of(new ContractField(longer.id, "", longer.hashOfToken, 1L << 40, "").encode()));
      refused(longer.offer(longer.offered(), size), "not by the key that it names");
      Hand elsewhere = new Hand(r);
      elsewhere.url = pair.atR("/data/other");
      refused(elsewhere.offer(), "not by the key that it names");
      Hand token = new Hand(r);
      token.hashOfToken = Hand.hash("Bearer other");
      refused(token.offer(), "another credential");
      Hand borrowed = new Hand(r);
      borrowed.properties = borrowed.properties(ContractKey.read(pair.key("r")));
      refused(borrowed.offer(), "not signed by a key of their host");
      Hand stranger = new Hand(r);
      stranger.key = stranger();
      refused(stranger.offer(), "no key that");
      Hand unable = new Hand(r);
      unable.token = r.token("storage.read:/");
      assertThat(unable.offer().status()).isEqualTo(403);
      assertThat(r.curl("/data/by-hand").token(r.token()).method("POST").run().status())
          .as("without an offer there is no POST")
          .isEqualTo(405);
      assertThat(pair.rows("r")).as("nothing has begun").isEmpty();
      Trials.held(11);
    }
  }

  private ContractKey stranger() throws Exception {
    Path file = folder.resolve("stranger.pem");
    Pem.writePrivateKey(file, KeyKind.EC_P256.generate().getPrivate());
    return ContractKey.read(file);
  }

  @Test
  void nothingElseThanWhatWasAgreedIsTaken() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      refused(new Hand(r).deliver(), "nothing was agreed");

      Hand first = new Hand(r);
      Hand second = new Hand(r);
      assertThat(first.offer().status()).isEqualTo(200);
      assertThat(second.offer().status()).isEqualTo(200);
      refused(first.deliver(second.id), "another contract than was agreed");

      Hand other = agreed(r);
      other.body = "other bytes, not those".getBytes(StandardCharsets.UTF_8);
      other.digest = Hash.of(other.body);
      refused(other.deliver(), "another file");
      Hand longer = agreed(r);
      longer.body =
          (new String(content, StandardCharsets.UTF_8) + "!").getBytes(StandardCharsets.UTF_8);
      refused(longer.deliver(), "another file");
      Hand elsewhere = agreed(r);
      elsewhere.url = pair.atR("/data/other");
      refused(elsewhere.deliver(), "not by the key that it names");
      Hand token = agreed(r);
      token.token = r.token("storage.read:/ storage.modify:/ storage.create:/");
      refused(token.deliver(), "another credential");
      Hand stranger = agreed(r);
      stranger.key = stranger();
      refused(stranger.deliver(), "no key that");
      Hand unsigned = agreed(r);
      refused(
          r.curl("/data/by-hand")
              .token(r.token())
              .header("Contract", new ContractField(unsigned.id, "", "").encode())
              .body("x")
              .method("PUT")
              .run(),
          "not signed");
      Hand part = agreed(r);
      refused(
          r.curl("/data/by-hand")
              .token(r.token())
              .header("Contract", new ContractField(part.id, "", "").encode())
              .header("Content-Range", "bytes 0-0/20")
              .body("x")
              .method("PUT")
              .run(),
          "for the whole file");
      assertThat(pair.rows("r")).as("nothing has begun").isEmpty();

      Hand lying = agreed(r);
      lying.body = new byte[content.length];
      refused(lying.deliver(), "checksum mismatch");
      refused(lying.deliver(), "nothing was agreed");
      // The host in whose name it was signed knows nothing of it, and takes no receipt.
      Hand unknown = agreed(r);
      refused(unknown.deliver(), "does not take the receipt");
      assertThat(r.data().resolve("by-hand")).doesNotExist();
      Trials.held(12);
    }
  }

  private Hand agreed(RunningStorage r) throws Exception {
    Hand hand = new Hand(r);
    assertThat(hand.offer().status()).isEqualTo(200);
    return hand;
  }

  /** Both sides keep their statements as files that are named by the contract. */
  @Test
  void contractThatWasUsedTheOtherWayIsNotOffered() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      Files.write(r.data().resolve("file"), content);
      ContractPair.push(r, "https://" + host(pair.portOfS) + "/data/back")
          .succeeded(content.length);
      Hand again = new Hand(r);
      again.id = pair.rows("r").getFirst().id();
      refused(again.offer(), "offered before");
    }
  }

  @Test
  void senderThatOffersWithoutEndIsStopped() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of("staithe.areas[0].contracts.max-open-per-host", 2))) {
      agreed(r);
      agreed(r);
      refused(new Hand(r).offer(), "offers too much");
    }
  }
}
