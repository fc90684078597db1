package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.authn.seal.TokenKey;
import dev.staithe.authn.seal.TokenKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TokenKeysTests {
  @Test
  void secretCannotBeChangedFromOutside() {
    byte[] secret = new byte[TokenKey.BYTES];
    var key = new TokenKey("k1", secret);
    secret[0] = 1;
    key.secret()[1] = 1;

    assertThat(key).isEqualTo(new TokenKey("k1", new byte[TokenKey.BYTES]));
    assertThat(key).isNotEqualTo(new TokenKey("k1", secret));
  }

  @Test
  void badKeysAreRefused() {
    for (String kid : List.of("", "123456789", "a.b", "ä", "a b")) {
      assertThatIllegalArgumentException().isThrownBy(() -> TestTokens.key(kid));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenKey("k", new byte[31]));
    assertThat(TokenKey.generate(TestTokens.RANDOM).kid()).hasSize(8);
  }

  @Test
  void badRingIsRefusedAndTheOldOneStays() {
    TokenKey key = TestTokens.key("k1");
    var keys = new TokenKeys(List.of(key));
    List<TokenKey> tooMany = new ArrayList<>();
    for (int i = 0; i <= TokenKeys.MOST; i++) {
      tooMany.add(TestTokens.key("n" + i));
    }

    assertThatIllegalArgumentException().isThrownBy(() -> keys.replace(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> keys.replace(tooMany));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.replace(List.of(key, TestTokens.key("k1"))));
    assertThat(keys.kids()).containsExactly("k1");
  }

  @Test
  void whileTheRingIsReplacedEveryTokenOfBothKeysStaysGood()
      throws InterruptedException, ExecutionException {
    TokenKey one = TestTokens.key("one");
    TokenKey two = TestTokens.key("two");
    var keys = new TokenKeys(List.of(one, two));
    var mint = new TokenMint(keys);
    SessionToken token = TestTokens.token("anna");
    var over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        readers.add(
            threads.submit(
                () -> {
                  int bad = 0;
                  while (!over.get()) {
                    boolean good = mint.open(mint.mint(token)) instanceof TokenReading.Genuine;
                    bad += good ? 0 : 1;
                  }
                  return bad;
                }));
      }
      for (int i = 0; i < 2000; i++) {
        keys.replace(i % 2 == 0 ? List.of(two, one) : List.of(one, two));
      }
      over.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isZero();
      }
    }
  }
}
