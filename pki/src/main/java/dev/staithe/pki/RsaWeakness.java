package dev.staithe.pki;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What can be told of an RSA modulus by looking at it: that its factors are small, that it was made
 * by the Infineon library of CVE-2017-15361 ("ROCA"), or that its two primes lie close together.
 */
final class RsaWeakness {
  /** Trial division finds factors up to here. */
  private static final int SMALLEST_FACTOR = 10_000;

  /** ROCA: all residues of the modulus are powers of 65537, here for the primes up to this one. */
  private static final int LAST_ROCA_PRIME = 167;

  /** Honest primes of 1024 bits are never found by so few steps of Fermat's method. */
  private static final int FERMAT_STEPS = 100;

  private static final BigInteger SMALL_PRIMES;
  private static final List<Subgroup> SUBGROUPS = new ArrayList<>();

  static {
    var product = BigInteger.ONE;
    for (int p = 3; p <= SMALLEST_FACTOR; p += 2) {
      if (BigInteger.valueOf(p).isProbablePrime(20)) {
        product = product.multiply(BigInteger.valueOf(p));
        if (p <= LAST_ROCA_PRIME) {
          SUBGROUPS.add(Subgroup.of65537(p));
        }
      }
    }
    SMALL_PRIMES = product;
  }

  /** The powers of 65537 modulo a prime. */
  private record Subgroup(int prime, boolean[] members) {
    static Subgroup of65537(int prime) {
      var members = new boolean[prime];
      int power = 1;
      do {
        members[power] = true;
        power = power * 65537 % prime;
      } while (power != 1);
      return new Subgroup(prime, members);
    }
  }

  private RsaWeakness() {}

  /** What is wrong with the modulus, completing "the key …". */
  static Optional<String> of(BigInteger modulus) {
    if (!modulus.testBit(0)
        || !SMALL_PRIMES.gcd(modulus.mod(SMALL_PRIMES)).equals(BigInteger.ONE)) {
      return Optional.of("has a modulus with a small factor");
    }
    if (hasRocaFingerprint(modulus)) {
      return Optional.of("was made by a library whose keys can be broken (ROCA, CVE-2017-15361)");
    }
    if (hasClosePrimes(modulus)) {
      return Optional.of("has two primes that lie too close together");
    }
    return Optional.empty();
  }

  /** Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, §4.2: a miss is 1 in 2^27. */
  private static boolean hasRocaFingerprint(BigInteger modulus) {
    for (Subgroup subgroup : SUBGROUPS) {
      int rest = modulus.mod(BigInteger.valueOf(subgroup.prime())).intValue();
      if (!subgroup.members()[rest]) {
        return false;
      }
    }
    return true;
  }

  /** Fermat: n = a² - b² with small b, where the primes share their upper half (CVE-2022-26320). */
  private static boolean hasClosePrimes(BigInteger modulus) {
    BigInteger[] root = modulus.sqrtAndRemainder();
    if (root[1].signum() == 0) {
      return true;
    }
    var a = root[0].add(BigInteger.ONE);
    var rest = a.multiply(a).subtract(modulus);
    for (int i = 0; i < FERMAT_STEPS; i++) {
      if (isSquare(rest)) {
        return true;
      }
      // (a + 1)² - n = a² - n + 2a + 1
      rest = rest.add(a.shiftLeft(1)).add(BigInteger.ONE);
      a = a.add(BigInteger.ONE);
    }
    return false;
  }

  private static boolean isSquare(BigInteger number) {
    // Squares modulo 64 are twelve of them: spares the root in most rounds.
    int low = number.intValue() & 63;
    if ((0x0202021202030213L >>> low & 1) == 0) {
      return false;
    }
    return number.sqrtAndRemainder()[1].signum() == 0;
  }
}
