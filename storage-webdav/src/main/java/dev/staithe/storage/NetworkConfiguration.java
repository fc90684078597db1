package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.storage.files.SecretFile;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.redirect.Redirects;
import dev.staithe.tls.ClientTls;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
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
                    redirect.checkInterval(),
                    tls.context(),
                    clock));
  }
}
