package dev.staithe.gateway.wss;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import java.util.List;

/** What tokens a binding demands and allows, and which of them must be the key of what. */
final class Shape {
  private Shape() {}

  static void check(SecurityHeader header, Expectation expectation, Identifiers identifiers)
      throws RefusedMessage {
    EndpointPolicy policy = expectation.policy();
    if (policy.timestamp() != (header.timestamp() != null)) {
      throw new RefusedMessage(
          Refusal.POLICY, policy.timestamp() ? "no timestamp" : "a timestamp that is not demanded");
    }
    if (!TreeOrder.isKept(policy.layout(), header, identifiers)) {
      throw new RefusedMessage(Refusal.POLICY, "the order is not that of the layout");
    }
    boolean contexts = policy.binding() instanceof Binding.Conversation || expectation.renewal();
    boolean derived =
        expectation.renewal()
            || switch (policy.binding()) {
              case Binding.Conversation conversation -> conversation.derivedKeys();
              case Binding.EncryptedKey encryptedKey -> encryptedKey.derivedKeys();
              case Binding.UsernameKeys usernameKeys -> usernameKeys.derivedKeys();
              default -> false;
            };
    boolean wrapped =
        policy.binding() instanceof Binding.Asymmetric
            || policy.binding() instanceof Binding.EncryptedKey;
    if ((!contexts && !header.contexts().isEmpty()) || header.contexts().size() > 1) {
      throw new RefusedMessage(Refusal.POLICY, "a context that the policy does not ask for");
    }
    if (!derived && !header.derived().isEmpty()) {
      throw new RefusedMessage(Refusal.POLICY, "derived keys that the policy does not ask for");
    }
    if ((!wrapped && !header.wrapped().isEmpty()) || header.wrapped().size() > 1) {
      throw new RefusedMessage(Refusal.POLICY, "encrypted keys that the policy does not ask for");
    }
  }

  /** Whether the keys that were used are those of the binding. */
  static void checkKeys(
      EndpointPolicy policy,
      TreeKey signer,
      List<Decryption.Decrypted> decrypted,
      AlgorithmSuite suite)
      throws RefusedMessage {
    boolean fits =
        switch (policy.binding()) {
          case Binding.Asymmetric asymmetric -> signer instanceof TreeKey.OfCertificate;
          case Binding.Conversation conversation ->
              signer.root() instanceof TreeKey.OfContext
                  && derived(signer, conversation.derivedKeys(), suite);
          case Binding.EncryptedKey encryptedKey ->
              signer.root() instanceof TreeKey.Wrapped
                  && derived(signer, encryptedKey.derivedKeys(), suite);
          case Binding.UsernameKeys usernameKeys ->
              signer.root() instanceof TreeKey.OfPassword
                  && derived(signer, usernameKeys.derivedKeys(), suite);
          case Binding.None none -> false;
          case Binding.Transport transport -> false;
        };
    if (!fits) {
      throw new RefusedMessage(Refusal.POLICY, "signed by a key of another kind than is demanded");
    }
    for (Decryption.Decrypted each : decrypted) {
      boolean same =
          policy.binding() instanceof Binding.Asymmetric
              ? each.key() instanceof TreeKey.Wrapped
              : each.key().root() == signer.root()
                  && each.key() instanceof TreeKey.Derived == signer instanceof TreeKey.Derived;
      if (!same) {
        throw new RefusedMessage(Refusal.POLICY, "encrypted by another key than is demanded");
      }
    }
  }

  private static boolean derived(TreeKey key, boolean demanded, AlgorithmSuite suite)
      throws RefusedMessage {
    if (key instanceof TreeKey.Derived && key.secret().length != suite.signatureKeyBytes()) {
      throw new RefusedMessage(Refusal.ALGORITHM, "a key of another length than is prescribed");
    }
    return key instanceof TreeKey.Derived == demanded;
  }
}
