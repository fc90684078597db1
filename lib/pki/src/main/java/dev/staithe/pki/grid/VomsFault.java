package dev.staithe.pki.grid;

import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is wrong with attributes of VOMS that no trust in a server mends. */
final class VomsFault {
  private VomsFault() {}

  /**
   * Judges one.
   *
   * @param person whose it should be
   * @return the end of a sentence about the attributes; null where there is no fault
   */
  static @Nullable String of(VomsCertificate voms, X509Certificate person, Instant now) {
    if (!voms.isOf(person)) {
      return "are of another person";
    }
    if (now.isAfter(voms.notAfter())) {
      return "ended at " + voms.notAfter();
    }
    if (now.plus(ClientChainValidator.SKEW).isBefore(voms.notBefore())) {
      return "are not valid before " + voms.notBefore();
    }
    if (voms.signers().stream().anyMatch(ClientChainValidator::costly)) {
      return "bring a key that is too long";
    }
    if (!voms.signers().isEmpty()
        && !(voms.signers().getFirst().getSubjectX500Principal().equals(voms.issuer())
            && voms.signedBy(voms.signers().getFirst().getPublicKey()))) {
      return "are not signed with the certificate that they bring";
    }
    return null;
  }
}
