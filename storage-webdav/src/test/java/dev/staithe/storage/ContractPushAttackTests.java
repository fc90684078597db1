package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that sign by hand, and wrongly: one real receiver. */
@SuppressWarnings("try")
final class ContractPushAttackTests {
  @TempDir private Path folder;
  private ContractPair pair;
  private final byte[] content = PushByHand.CONTENT;

  @BeforeEach
  void prepare() {
    pair = new ContractPair(folder);
  }

  @AfterEach
  void finish() {
    pair.close();
  }

  private PushByHand hand(RunningStorage r) throws Exception {
    return new PushByHand(pair, r, pair.portOfR, "/data/by-hand", r.token());
  }

  private static void refused(Curl.Response answer, String why) {
    assertThat(answer.status()).as(answer.text()).isGreaterThanOrEqualTo(400);
    assertThat(answer.text()).contains(why);
  }

  @Test
  void offerThatWasMadeForSomethingElseOrBeforeIsRefused() throws Exception {
    try (RunningStorage s = pair.startS(Map.of());
        RunningStorage r = pair.startR(Map.of())) {
      PushByHand good = hand(r);
      assertThat(good.offer().status()).isEqualTo(200);
      refused(good.offer(), "offered before");

      PushByHand slow = hand(r);
      slow.created = Instant.now().minusSeconds(5 * 60 + 50);
      assertThat(slow.offer().status()).as("clocks 50 s apart").isEqualTo(200);
      PushByHand fast = hand(r);
      fast.created = Instant.now().plusSeconds(50);
      assertThat(fast.offer().status()).as("clocks 50 s apart").isEqualTo(200);
      PushByHand late = hand(r);
      late.created = Instant.now().minusSeconds(5 * 60 + 90);
      refused(late.offer(), "expired");
      PushByHand early = hand(r);
      early.created = Instant.now().plusSeconds(90);
      refused(early.offer(), "in the future");

      PushByHand changed = hand(r);
      Map<String, List<String>> digest = changed.offered();
      digest.put("repr-digest", List.of(ContractAudit.digest(Hash.of())));
      refused(changed.offer(changed.offered(), digest), "not by the key that it names");
      PushByHand longer = hand(r);
      Map<String, List<String>> size = longer.offered();
      size.put(
          "contract",
          List.of(new ContractField(longer.id, "", longer.hashOfToken, 1L << 40, "").encode()));
      refused(longer.offer(longer.offered(), size), "not by the key that it names");
      PushByHand elsewhere = hand(r);
      elsewhere.url = pair.atR("/data/other");
      refused(elsewhere.offer(), "not by the key that it names");
      PushByHand token = hand(r);
      token.hashOfToken = PushByHand.hash("Bearer other");
      refused(token.offer(), "another credential");
      PushByHand borrowed = hand(r);
      borrowed.properties = borrowed.properties(ContractKey.read(pair.key("r")));
      refused(borrowed.offer(), "not signed by a key of their host");
      PushByHand stranger = hand(r);
      stranger.key = stranger();
      refused(stranger.offer(), "no key that");
      PushByHand unable = hand(r);
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
      refused(hand(r).deliver(), "nothing was agreed");

      PushByHand first = hand(r);
      PushByHand second = hand(r);
      assertThat(first.offer().status()).isEqualTo(200);
      assertThat(second.offer().status()).isEqualTo(200);
      refused(first.deliver(second.id), "another contract than was agreed");

      PushByHand other = agreed(r);
      other.body = "other bytes, not those".getBytes(StandardCharsets.UTF_8);
      other.digest = Hash.of(other.body);
      refused(other.deliver(), "another file");
      PushByHand longer = agreed(r);
      longer.body =
          (new String(content, StandardCharsets.UTF_8) + "!").getBytes(StandardCharsets.UTF_8);
      refused(longer.deliver(), "another file");
      PushByHand elsewhere = agreed(r);
      elsewhere.url = pair.atR("/data/other");
      refused(elsewhere.deliver(), "not by the key that it names");
      PushByHand token = agreed(r);
      token.token = r.token("storage.read:/ storage.modify:/ storage.create:/");
      refused(token.deliver(), "another credential");
      PushByHand stranger = agreed(r);
      stranger.key = stranger();
      refused(stranger.deliver(), "no key that");
      PushByHand unsigned = agreed(r);
      refused(
          r.curl("/data/by-hand")
              .token(r.token())
              .header("Contract", new ContractField(unsigned.id, "", "").encode())
              .body("x")
              .method("PUT")
              .run(),
          "not signed");
      PushByHand part = agreed(r);
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

      PushByHand lying = agreed(r);
      lying.body = new byte[content.length];
      refused(lying.deliver(), "checksum mismatch");
      refused(lying.deliver(), "nothing was agreed");
      // The host in whose name it was signed knows nothing of it, and takes no receipt.
      PushByHand unknown = agreed(r);
      refused(unknown.deliver(), "does not take the receipt");
      assertThat(r.data().resolve("by-hand")).doesNotExist();
      Trials.held(12);
    }
  }

  private PushByHand agreed(RunningStorage r) throws Exception {
    PushByHand hand = hand(r);
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
      PushByHand again = hand(r);
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
      refused(hand(r).offer(), "offers too much");
    }
  }
}
