package dev.staithe.pki;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPublicKeySpec;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;

/** The other half of keys on P-256. */
public final class EcKeys {
  private static final int BITS = 256;

  private EcKeys() {}

  /**
   * The public key of a private one (SEC 1 section 3.2.1): files often hold only the latter.
   *
   * @throws PemException where the key is not on P-256
   */
  public static ECPublicKey publicOf(ECPrivateKey key) throws PemException {
    var curve = CustomNamedCurves.getByName("P-256");
    if (key.getParams().getOrder().bitLength() != BITS
        || !key.getParams().getOrder().equals(curve.getN())) {
      throw new PemException("the key is not on the curve P-256");
    }
    ECPoint point = new FixedPointCombMultiplier().multiply(curve.getG(), key.getS()).normalize();
    try {
      return (ECPublicKey)
          KeyFactory.getInstance("EC")
              .generatePublic(
                  new ECPublicKeySpec(
                      new java.security.spec.ECPoint(
                          point.getAffineXCoord().toBigInteger(),
                          point.getAffineYCoord().toBigInteger()),
                      key.getParams()));
    } catch (GeneralSecurityException e) {
      throw new PemException("the key is not on the curve P-256", e);
    }
  }
}
