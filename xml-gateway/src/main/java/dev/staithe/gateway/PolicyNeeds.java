package dev.staithe.gateway;

import dev.staithe.gateway.engine.BothEngines;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.policy.SupportingToken;
import java.util.Optional;

/**
 * What policies need that a configuration may lack; a policy whose needs are not met is not put in
 * force, since nobody could meet it.
 */
final class PolicyNeeds {
  private final GatewayProperties properties;

  PolicyNeeds(GatewayProperties properties) {
    this.properties = properties;
  }

  /** The first thing that is missing, as the end of a line that names the policy. */
  Optional<String> missing(EndpointPolicy policy, EndpointProperties.Choice engine) {
    return missing(policy)
        .or(
            () ->
                engine == EndpointProperties.Choice.BOTH && !BothEngines.know(policy)
                    ? Optional.of("engine auto or dom: one engine alone knows it")
                    : Optional.empty());
  }

  private Optional<String> missing(EndpointPolicy policy) {
    Optional<String> ofBinding =
        switch (policy.binding()) {
          case Binding.None none -> Optional.empty();
          case Binding.Transport(boolean wanted) -> ofTransport(wanted);
          case Binding.Asymmetric asymmetric -> ofKeys(true);
          case Binding.EncryptedKey encryptedKey -> ofKeys(false);
          case Binding.Conversation conversation -> missing(conversation.bootstrap());
          case Binding.UsernameKeys usernameKeys -> ofUsers(false);
        };
    return ofBinding.or(
        () ->
            policy.supporting().stream().map(this::ofToken).flatMap(Optional::stream).findFirst());
  }

  private Optional<String> ofTransport(boolean certificate) {
    // Behind a proxy that ends TLS its word is taken, and no certificate is seen.
    if (!properties.tls().enabled() && (certificate || properties.proxy().trusted().isEmpty())) {
      return Optional.of("staithe.tls");
    }
    return certificate && properties.clientCertificates().trust() == null
        ? Optional.of("staithe.client-certificates.trust")
        : Optional.empty();
  }

  private Optional<String> ofKeys(boolean signers) {
    if (properties.message().certificate() == null) {
      return Optional.of("staithe.message.certificate");
    }
    return signers && properties.message().trust() == null
        ? Optional.of("staithe.message.trust")
        : Optional.empty();
  }

  private Optional<String> ofUsers(boolean clear) {
    return properties.users().file() != null || (clear && properties.users().authn())
        ? Optional.empty()
        : Optional.of("staithe.users.file");
  }

  private Optional<String> ofToken(SupportingToken token) {
    return switch (token.kind()) {
      case USERNAME_TEXT -> ofUsers(true);
      case USERNAME_DIGEST -> ofUsers(false);
      case USERNAME_ONLY -> Optional.empty();
      case X509 ->
          properties.message().trust() == null
              ? Optional.of("staithe.message.trust")
              : Optional.empty();
      case BEARER ->
          properties.authn() == null ? Optional.of("staithe.authn.url") : Optional.empty();
    };
  }
}
