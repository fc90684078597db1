package dev.staithe.pki;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What can be told of an RSA modulus by looking at it: that it is a prime itself or has a factor
 * below 2^16, that it was made by the Infineon library of CVE-2017-15361 ("ROCA"), or that its two
 * primes lie close together.
 */
public final class RsaWeakness {
  /** Trial division finds factors up to here. */
  private static final int SMALLEST_FACTOR = 1000;

  /** One greatest common divisor finds those up to here. */
  private static final int SMALL_FACTOR = 1 << 16;

  private static final BigInteger SMALL_PRIMES = smallPrimes();

  /** ROCA: all residues of the modulus are powers of 65537, here for the primes up to this one. */
  private static final int LAST_ROCA_PRIME = 167;

  /** Honest primes of 1024 bits are never found by so few steps of Fermat's method. */
  private static final int FERMAT_STEPS = 100;

  /** Squares are rare among the residues of this number, which has many small factors. */
  private static final int SIEVE = 64 * 63 * 65 * 11;

  private static final BitSet SQUARES = new BitSet(SIEVE);
  private static final List<Group> GROUPS;

  static {
    for (long i = 0; i < SIEVE; i++) {
      SQUARES.set((int) (i * i % SIEVE));
    }
    var groups = new ArrayList<Group>();
    var primes = new ArrayList<Integer>();
    long product = 1;
    for (int p = 3; p <= SMALLEST_FACTOR; p += 2) {
      if (!BigInteger.valueOf(p).isProbablePrime(20)) {
        continue;
      }
      if (product * p > Integer.MAX_VALUE) {
        groups.add(new Group((int) product, List.copyOf(primes)));
        primes.clear();
        product = 1;
      }
      primes.add(p);
      product *= p;
    }
    groups.add(new Group((int) product, List.copyOf(primes)));
    GROUPS = List.copyOf(groups);
  }

  private static BigInteger smallPrimes() {
    var composite = new BitSet(SMALL_FACTOR);
    List<BigInteger> products = new ArrayList<>();
    for (int p = 2; p < SMALL_FACTOR; p++) {
      if (composite.get(p)) {
        continue;
      }
      for (long multiple = (long) p * p; multiple < SMALL_FACTOR; multiple += p) {
        composite.set((int) multiple);
      }
      if (p > SMALLEST_FACTOR) {
        products.add(BigInteger.valueOf(p));
      }
    }
    while (products.size() > 1) {
      List<BigInteger> next = new ArrayList<>();
      for (int i = 0; i < products.size(); i += 2) {
        next.add(
            i + 1 < products.size()
                ? products.get(i).multiply(products.get(i + 1))
                : products.get(i));
      }
      products = next;
    }
    return products.getFirst();
  }

  /** Primes whose product is an int, so that one division serves all of them. */
  private record Group(int product, List<Integer> primes) {}

  private RsaWeakness() {}

  /**
   * What is wrong with the modulus, completing "the key …". Takes as long as several signatures.
   */
  public static Optional<String> of(BigInteger modulus) {
    int[] words = words(modulus);
    boolean roca = true;
    if (!modulus.testBit(0)) {
      return smallFactor();
    }
    for (Group group : GROUPS) {
      int rest = rest(words, group.product());
      for (int prime : group.primes()) {
        if (rest % prime == 0) {
          return smallFactor();
        }
        roca = roca && (prime > LAST_ROCA_PRIME || isPowerOf65537(rest % prime, prime));
      }
    }
    // Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, §4.2: wrong once in 2^27 times.
    if (roca) {
      return Optional.of("was made by a library whose keys can be broken (ROCA, CVE-2017-15361)");
    }
    if (hasClosePrimes(modulus, rest(words, SIEVE))) {
      return Optional.of("has two primes that lie too close together");
    }
    if (!SMALL_PRIMES.mod(modulus).gcd(modulus).equals(BigInteger.ONE)) {
      return smallFactor();
    }
    // Fermat's test: of a product of two primes this is never so but by a rare chance.
    return BigInteger.TWO.modPow(modulus.subtract(BigInteger.ONE), modulus).equals(BigInteger.ONE)
        ? Optional.of("has a modulus that is a prime")
        : Optional.empty();
  }

  private static Optional<String> smallFactor() {
    return Optional.of("has a modulus with a small factor");
  }

  private static boolean isPowerOf65537(int residue, int prime) {
    int power = 1;
    do {
      if (power == residue) {
        return true;
      }
      power = power * (65537 % prime) % prime;
    } while (power != 1);
    return false;
  }

  /** Fermat: n = a² - b² with small b, where the primes share their upper half (CVE-2022-26320). */
  private static boolean hasClosePrimes(BigInteger modulus, int residue) {
    BigInteger[] root = modulus.sqrtAndRemainder();
    if (root[1].signum() == 0) {
      return true;
    }
    var start = root[0].add(BigInteger.ONE);
    long a = start.mod(BigInteger.valueOf(SIEVE)).longValue();
    for (int i = 0; i < FERMAT_STEPS; i++) {
      // Nearly all steps end at the residue of a² - n, without large numbers.
      if (SQUARES.get((int) Math.floorMod(a * a - residue, (long) SIEVE))) {
        var candidate = start.add(BigInteger.valueOf(i));
        var square = candidate.multiply(candidate).subtract(modulus);
        if (square.sqrtAndRemainder()[1].signum() == 0) {
          return true;
        }
      }
      a = (a + 1) % SIEVE;
    }
    return false;
  }

  /** The most significant first, unsigned. */
  private static int[] words(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int[] words = new int[(bytes.length + 3) / 4];
    for (int i = 0; i < bytes.length; i++) {
      int fromEnd = bytes.length - 1 - i;
      words[words.length - 1 - fromEnd / 4] |= (bytes[i] & 0xff) << 8 * (fromEnd % 4);
    }
    return words;
  }

  private static int rest(int[] words, int divisor) {
    long rest = 0;
    for (int word : words) {
      // Below 2^63, as the divisor is below 2^31.
      rest = (rest << 32 | word & 0xffffffffL) % divisor;
    }
    return (int) rest;
  }
}
