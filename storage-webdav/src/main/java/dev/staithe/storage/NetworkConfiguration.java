package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.delegation.client.CredentialFiles;
import dev.staithe.service.certificates.ClientTrust;
import dev.staithe.storage.authz.ContractNeed;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.redirect.Redirects;
import dev.staithe.storage.settings.DelegationProperties;
import dev.staithe.storage.settings.RedirectProperties;
import dev.staithe.storage.settings.ScitagsProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.state.SecretFile;
import dev.staithe.storage.tpc.DelegatedCredentials;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what concerns the network around: marks of flows, redirects to data nodes. */
@Configuration(proxyBeanMethods = false)
final class NetworkConfiguration {
  @Bean
  FlowMarks flowMarks(StorageProperties properties, Clock clock) {
    ScitagsProperties scitags = properties.scitags();
    return started(
        "staithe.scitags",
        () ->
            scitags.enabled()
                ? new FlowMarks(
                    new FlowMarks.Settings(
                        scitags.collectors(),
                        scitags.toPeer() ? FlowMarks.PEER_PORT : 0,
                        Duration.ofSeconds(60)),
                    clock)
                : FlowMarks.OFF);
  }

  /** Our end of TLS towards the delegation-service, if it has a trust of its own. */
  record DelegationTls(@Nullable ClientTls tls) implements AutoCloseable {
    @Override
    public void close() {
      if (tls != null) {
        tls.close();
      }
    }
  }

  @Bean
  DelegationTls delegationTls(StorageProperties properties, TlsProvider provider, Clock clock) {
    Path trust = properties.delegation().trust();
    return new DelegationTls(
        trust == null || properties.delegation().url() == null
            ? null
            : ClientTrust.open(
                "staithe.delegation.trust",
                trust,
                properties.tls().checkInterval(),
                provider,
                clock));
  }

  @Bean
  DelegatedCredentials delegatedCredentials(
      StorageProperties properties, ClientTls others, DelegationTls own, Clock clock) {
    DelegationProperties delegation = properties.delegation();
    URI service = delegation.url();
    if (service == null) {
      return DelegatedCredentials.NONE;
    }
    boolean named = delegation.certificate() != null;
    Path certificate = named ? delegation.certificate() : properties.tls().certificate();
    Path key = named ? delegation.key() : properties.tls().key();
    if (certificate == null || key == null) {
      throw new IllegalStateException("client certificates are not taken without TLS");
    }
    CredentialFiles files =
        started(
            named ? "staithe.delegation.certificate" : "staithe.tls",
            () -> CredentialFiles.read(certificate, key));
    return DelegatedCredentials.of(
        new DelegatedCredentials.Settings(service, delegation.timeout(), delegation.lifetime()),
        files::current,
        Objects.requireNonNullElse(own.tls(), others),
        others,
        clock);
  }

  @Bean
  Redirects redirects(StorageProperties properties, ClientTls tls, Clock clock) {
    RedirectProperties redirect = properties.redirect();
    Path keyFile = redirect.keyFile();
    return keyFile == null
        ? Redirects.NONE
        : started(
            "staithe.redirect.key-file",
            () ->
                Redirects.of(
                    SecretFile.read(keyFile),
                    redirect.nodes(),
                    redirect.fromSize().toBytes(),
                    redirect.copyClients(),
                    properties.areas().stream()
                        .filter(area -> area.contracts().mode() == AreaContracts.Mode.REQUIRE)
                        .collect(
                            Collectors.toMap(
                                StorageProperties.Area::name,
                                area ->
                                    area.contracts().attested().isEmpty()
                                        ? ContractNeed.CONTRACT
                                        : ContractNeed.ATTESTED)),
                    redirect.checkInterval(),
                    tls.context(),
                    clock));
  }
}
