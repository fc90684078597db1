package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Trials;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys of machines that have too little randomness. */
class SharedPrimesTests {
  private static final Random RANDOM = new Random(4711);

  private static BigInteger prime() {
    return BigInteger.probablePrime(256, RANDOM);
  }

  @Test
  void keyWithAPrimeOfAnotherOneIsFoundAmongManyAndTheSameKeyAgainIsNot() {
    List<BigInteger> before = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      before.add(prime().multiply(prime()));
    }
    BigInteger shared = prime();
    BigInteger first = shared.multiply(prime());
    before.add(30, first);
    var primes = new SharedPrimes(before);

    assertThat(primes.share(shared.multiply(prime()))).isTrue();
    assertThat(primes.share(prime().multiply(prime()))).isFalse();
    assertThat(primes.share(first)).as("a renewal").isFalse();
    BigInteger now = prime();
    assertThat(primes.share(now.multiply(prime()))).isFalse();
    assertThat(primes.share(now.multiply(prime()))).as("with one of just now").isTrue();
    Trials.held(before.size());
  }

  @Test
  void oldestOfBeforeTheStartIsForgottenFirst() {
    List<BigInteger> before = new ArrayList<>();
    for (int i = 0; i < SharedPrimes.MOST; i++) {
      before.add(small().multiply(small()));
    }
    BigInteger newest = prime();
    BigInteger oldest = prime();
    before.addFirst(newest.multiply(prime()));
    before.addLast(oldest.multiply(prime()));
    var primes = new SharedPrimes(before);
    for (int i = 0; i < 100; i++) {
      primes.share(prime().multiply(prime()));
    }

    assertThat(primes.share(newest.multiply(prime()))).isTrue();
    assertThat(primes.share(oldest.multiply(prime()))).isFalse();
  }

  /** Made in no time. */
  private static BigInteger small() {
    return BigInteger.probablePrime(64, RANDOM);
  }
}
