package dev.staithe.slcs.ca;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds RSA keys that have a prime in common with one of the newest others: machines with too
 * little randomness make such, and both can be broken by whoever has both (Heninger et al., "Mining
 * Your Ps and Qs", 2012). A key costs about as much as a signature. Thread-safe; each node
 * remembers by itself what it has issued since it started.
 */
final class SharedPrimes {
  /** So many keys are remembered. */
  static final int MOST = 1000;

  private static final int GROUP = 50;

  private final Deque<List<BigInteger>> groups = new ArrayDeque<>();
  private final Deque<BigInteger> products = new ArrayDeque<>();
  private final Set<BigInteger> known = new HashSet<>();
  private List<BigInteger> open = new ArrayList<>();
  private BigInteger product = BigInteger.ONE;

  /**
   * @param moduli the newest first: the last to be forgotten
   */
  SharedPrimes(List<BigInteger> moduli) {
    moduli.reversed().forEach(this::remember);
  }

  /** Whether it has; remembers it where it has not. */
  synchronized boolean share(BigInteger modulus) {
    if (known.contains(modulus)) {
      // It was looked at when it came first.
      return false;
    }
    BigInteger rest = product.mod(modulus);
    for (BigInteger each : products) {
      rest = rest.multiply(each.mod(modulus)).mod(modulus);
    }
    if (!rest.gcd(modulus).equals(BigInteger.ONE)) {
      return true;
    }
    remember(modulus);
    return false;
  }

  private void remember(BigInteger modulus) {
    if (!known.add(modulus)) {
      return;
    }
    open.add(modulus);
    product = product.multiply(modulus);
    if (open.size() == GROUP) {
      groups.add(open);
      products.add(product);
      open = new ArrayList<>();
      product = BigInteger.ONE;
      if (groups.size() > MOST / GROUP) {
        known.removeAll(Set.copyOf(groups.remove()));
        products.remove();
      }
    }
  }
}
