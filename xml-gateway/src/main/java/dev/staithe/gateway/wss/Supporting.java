package dev.staithe.gateway.wss;

import dev.staithe.wss.Arrival;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Surroundings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens beside the one that protects the message.
 *
 * @param caller whom they stand for; null where the policy asks for none
 * @param once what must never come again
 */
record Supporting(@Nullable Caller caller, List<Findings.Once> once) {
  static Supporting judge(
      Surroundings surroundings,
      Arrival arrival,
      Envelope envelope,
      SecurityHeader header,
      KeyRing keys,
      List<Decryption.Decrypted> decrypted,
      SignatureCheck.Verified main,
      List<SignatureCheck.Verified> endorsing)
      throws Rejection {
    if (!arrival.expectation().policy().supporting().isEmpty() || !endorsing.isEmpty()) {
      throw new Rejection(Refusal.POLICY, "supporting tokens are not taken yet");
    }
    return new Supporting(null, List.of());
  }
}
