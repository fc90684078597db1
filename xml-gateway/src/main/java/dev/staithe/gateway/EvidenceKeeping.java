package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.evidence.Evidence;
import dev.staithe.gateway.trust.SignerTrust;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Where signed messages are kept, if an endpoint wants that.
 *
 * @param evidence null where none does
 */
record EvidenceKeeping(@Nullable Evidence evidence) implements AutoCloseable {
  static EvidenceKeeping of(
      GatewayProperties properties, @Nullable SignerTrust signers, Clock clock) {
    if (properties.endpoints().stream().noneMatch(EndpointProperties::evidence)) {
      return new EvidenceKeeping(null);
    }
    Path folder = properties.evidence().folder();
    return new EvidenceKeeping(
        started(
            "staithe.evidence.folder",
            () ->
                new Evidence(
                    folder == null ? properties.state().resolve("evidence") : folder,
                    () -> signers == null ? null : signers.anchors(),
                    clock)));
  }

  @Override
  public void close() {
    if (evidence != null) {
      evidence.close();
    }
  }
}
