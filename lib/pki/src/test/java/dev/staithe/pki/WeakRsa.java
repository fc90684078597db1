package dev.staithe.pki;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;

/** Makes RSA keys of the kinds that must never get a certificate. */
public final class WeakRsa {
  private static final BigInteger F4 = BigInteger.valueOf(65537);
  private static final SecureRandom RANDOM = new SecureRandom();

  private WeakRsa() {}

  private static KeyPair of(BigInteger p, BigInteger q) throws Exception {
    var n = p.multiply(q);
    var phi = p.subtract(BigInteger.ONE).multiply(q.subtract(BigInteger.ONE));
    var factory = KeyFactory.getInstance("RSA");
    return new KeyPair(
        factory.generatePublic(new RSAPublicKeySpec(n, F4)),
        factory.generatePrivate(new RSAPrivateKeySpec(n, F4.modInverse(phi))));
  }

  /** Two primes with nothing between them. */
  public static KeyPair closePrimes() throws Exception {
    while (true) {
      var p = topHeavyPrime();
      var q = p.nextProbablePrime();
      if (coprime(p) && coprime(q)) {
        return of(p, q);
      }
    }
  }

  /** As Infineon's library: primes k·M + (65537^a mod M), M the product of the first 126 primes. */
  public static KeyPair roca() throws Exception {
    return of(rocaPrime(), rocaPrime());
  }

  private static BigInteger rocaPrime() {
    var product = BigInteger.ONE;
    var prime = BigInteger.TWO;
    for (int i = 0; i < 126; i++) {
      product = product.multiply(prime);
      prime = prime.nextProbablePrime();
    }
    int bits = 1024 - product.bitLength();
    while (true) {
      var k = new BigInteger(bits, RANDOM).setBit(bits - 1).setBit(bits - 2);
      var a = new BigInteger(60, RANDOM);
      var candidate = k.multiply(product).add(F4.modPow(a, product));
      if (candidate.bitLength() == 1024
          && candidate.testBit(1022)
          && candidate.isProbablePrime(40)
          && coprime(candidate)) {
        return candidate;
      }
    }
  }

  private static BigInteger topHeavyPrime() {
    while (true) {
      var p = BigInteger.probablePrime(1024, RANDOM);
      if (p.testBit(1022)) {
        return p;
      }
    }
  }

  private static boolean coprime(BigInteger prime) {
    return prime.subtract(BigInteger.ONE).gcd(F4).equals(BigInteger.ONE);
  }
}
