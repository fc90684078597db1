package dev.staithe.service.properties;

import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Certificates of clients, proxies among them, as a credential.
 *
 * @param trust the authorities, as a folder with their revocation lists and namespaces or as a PEM
 *     bundle; absent: clients are not asked for certificates
 * @param revocation what revocation lists mean
 * @param namespaces what the files mean that say which names an authority may give out
 * @param legacyProxies whether proxies from before RFC 3820 are taken, with their weak algorithms
 * @param refuseIn where a certificate that is not believed is refused
 */
@ConfigurationPropertiesSource
public record ClientCertificateProperties(
    @Nullable Path trust,
    @DefaultValue("if-valid") Revocation revocation,
    @DefaultValue("if-present") Namespaces namespaces,
    @DefaultValue("false") boolean legacyProxies,
    @DefaultValue("request") RefuseIn refuseIn) {
  /** Where a certificate that is not believed is refused. */
  public enum RefuseIn {
    /** Each request that shows no other credential is answered with the reason. */
    REQUEST,
    /** No connection comes about. */
    HANDSHAKE
  }
}
