package dev.staithe.storage.contracts.host;

import dev.staithe.contracts.host.Attestation;
import dev.staithe.contracts.host.AttestationKey;
import dev.staithe.contracts.host.TpmQuote;
import java.util.Optional;

/**
 * The TPM of a partner, as who has the data knows it. Immutable.
 *
 * @param key by which it signs its quotes
 * @param pcrs that a quote must be of, as {@code sha256:0,1,7}; empty: any
 * @param pcrDigest of their values, in hexadecimal; empty: any
 */
public record TrustedTpm(AttestationKey key, String pcrs, String pcrDigest) {
  /**
   * What an area wants of a host and does not get.
   *
   * @param wanted as it stands in a line, printable
   * @param offered the same
   */
  record Lack(String wanted, String offered) {}

  /**
   * Looks at what a partner's property list brings along.
   *
   * @param host {@code host:port}
   * @return empty where it is a quote by this TPM, of these PCRs and values
   */
  Optional<Lack> lack(String host, Attestation attestation) {
    String any = "a quote by the TPM of host " + host;
    return switch (attestation) {
      case Attestation.None() -> Optional.of(new Lack(any, "none"));
      case Attestation.OfPerson() -> Optional.of(ofPerson());
      case Attestation.Unfit(String reason) ->
          Optional.of(new Lack(any, AreaContracts.printable("one that does not fit: " + reason)));
      case Attestation.Quoted(AttestationKey by, TpmQuote quote) -> {
        if (!by.equals(key)) {
          yield Optional.of(
              new Lack(
                  any + ", whose attestation key is " + key.id(),
                  "one by the attestation key " + by.id()));
        }
        if (!pcrs.isEmpty() && !quote.pcrs().equals(pcrs)) {
          yield Optional.of(new Lack(any + " over PCRs " + pcrs, "one over " + quote.pcrs()));
        }
        yield pcrDigest.isEmpty() || quote.pcrDigest().equals(pcrDigest)
            ? Optional.empty()
            : Optional.of(
                new Lack(
                    any + " with PCR digest " + pcrDigest,
                    "one with PCR digest " + quote.pcrDigest()));
      }
    };
  }

  /** A partner whose TPM the area does not know. */
  static Lack unknown(String host) {
    return new Lack(
        "a quote by the TPM of host " + host,
        "none that can be judged: the area names no attestation key of that host");
  }

  private static Lack ofPerson() {
    return new Lack(
        "a quote by the TPM of a host that the area names", "none: a person cannot be attested");
  }

  /** Whoever is no host of this area's. */
  static Optional<Lack> ofStranger(String peer, Attestation attestation) {
    return Optional.of(attestation instanceof Attestation.OfPerson ? ofPerson() : unknown(peer));
  }
}
