package dev.staithe.contracts.host;

import dev.staithe.contracts.signature.BadSignature;

/** What the TPM of a party says beside the party's own word. */
public sealed interface Attestation {
  /** The property list brings no quote. */
  record None() implements Attestation {}

  /** The list is a person's, who is at no particular machine. */
  record OfPerson() implements Attestation {}

  /** It brings something that is no quote for this list; {@code reason} says why. */
  record Unfit(String reason) implements Attestation {}

  /**
   * It brings a quote that is signed by that key, and was made for this list and its contract key.
   * Whether that key is of a TPM, and of which, is for who knows the key.
   */
  record Quoted(AttestationKey key, TpmQuote quote) implements Attestation {}

  /**
   * In one line, for auditors.
   *
   * @throws BadSignature where there is something that does not fit
   */
  default String line() throws BadSignature {
    return switch (this) {
      case None() -> "no quote";
      case OfPerson() -> "no TPM, as a person";
      case Unfit(String reason) -> throw new BadSignature(reason);
      case Quoted(AttestationKey key, TpmQuote quote) ->
          "a quote by the attestation key %s over its contract key and the PCRs %s of digest %s"
              .formatted(key.id(), quote.pcrs(), quote.pcrDigest());
    };
  }
}
