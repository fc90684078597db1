package dev.staithe.gateway;

import dev.staithe.service.Settings;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.AuditedProperties;
import dev.staithe.service.properties.ClientCertificateProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.ProxyProperties;
import dev.staithe.service.properties.TlsProperties;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Everything that a site can set; {@code docs/xml-gateway.yml} explains each key.
 *
 * @param url by which clients know this gateway, without a slash at its end
 * @param names further names of its host, to which messages may be addressed
 * @param state a folder for what this node keeps by itself
 * @param tls the server's end of TLS
 * @param http2 whether clients that offer HTTP/2 get it
 * @param limits what one client may take
 * @param proxy a reverse proxy or load balancer in front
 * @param metrics who may read metrics and details of health
 * @param accessLog one line for every request
 * @param auditLog one line for everything that matters afterwards
 * @param clientCertificates which certificates in TLS are believed
 * @param trust authorities of the services behind, where they speak TLS, and of authn-service
 * @param message keys, trust and time of messages
 * @param users whose passwords are known
 * @param authn the authn-service whose tokens and passwords are taken
 * @param contexts of WS-SecureConversation
 * @param evidence where signed messages are kept
 * @param callerTokens what signs tokens of callers for services behind
 * @param bodies memory of all requests and answers together; absent: a quarter of the heap
 * @param measuring whether messages may be repeated, and be of any age: for measuring and nothing
 *     else
 * @param endpoints paths and the services behind them
 */
@ConfigurationProperties("staithe")
public record GatewayProperties(
    @Nullable URI url,
    @DefaultValue List<String> names,
    @DefaultValue("gateway-data") Path state,
    @DefaultValue TlsProperties tls,
    @DefaultValue("false") boolean http2,
    @DefaultValue LimitsProperties limits,
    @DefaultValue ProxyProperties proxy,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue AccessLogProperties accessLog,
    @DefaultValue AuditLogProperties auditLog,
    @NestedConfigurationProperty @DefaultValue ClientCertificateProperties clientCertificates,
    @Nullable Path trust,
    @DefaultValue MessageProperties message,
    @DefaultValue UsersProperties users,
    @Nullable AuthnProperties authn,
    @DefaultValue ContextsProperties contexts,
    @DefaultValue EvidenceProperties evidence,
    @DefaultValue CallerTokenProperties callerTokens,
    @Nullable DataSize bodies,
    @DefaultValue("false") boolean measuring,
    @DefaultValue List<EndpointProperties> endpoints)
    implements AuditedProperties {
  /** A name, or an address; one of IPv6 in brackets, as in URLs. */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]");

  /** Checks what concerns more than one group. */
  public GatewayProperties {
    Settings.requireOwnUrl(url, Set.of("https", "http"), "url", "https://gateway.example.org");
    for (String name : names) {
      Settings.require(
          HOST.matcher(name).matches(), "names", name, "the name of a host, as gate.example.org");
    }
    names = List.copyOf(names);
    tls.requireFiles();
    if (!measuring) {
      message.requireStrict();
    }
    Settings.require(
        authn != null || !users.authn(),
        "users.authn",
        true,
        "false where staithe.authn.url is not set");
    if (bodies != null) {
      Settings.requireWithin(bodies, DataSize.ofMegabytes(1), DataSize.ofTerabytes(1), "bodies");
    }
    endpoints = List.copyOf(endpoints);
    for (EndpointProperties endpoint : endpoints) {
      Settings.require(
          endpoint.callerToken() == null || callerTokens.key() != null,
          "endpoints.caller-token",
          String.valueOf(endpoint.callerToken()),
          "absent where staithe.caller-tokens.certificate and key are not set");
    }
    Settings.require(
        !endpoints.isEmpty(), "endpoints", "", "one endpoint at least, with a path and a policy");
    Settings.requireDistinct(
        endpoints.stream().map(EndpointProperties::path).toList(), "endpoints", "path");
  }

  /** Bytes that bodies of requests and answers may take together. */
  long roomForBodies() {
    return bodies == null ? Runtime.getRuntime().maxMemory() / 4 : bodies.toBytes();
  }

  @Override
  public Path auditFile() {
    return auditLog.file() == null ? state.resolve("audit.log") : auditLog.file();
  }

  /** A year, and the time until somebody asks. */
  @Override
  public int auditDays() {
    return 400;
  }

  /**
   * The audit log.
   *
   * @param file where to; absent: {@code audit.log} in {@code staithe.state}
   * @param accepted whether messages that were accepted are told too; refusals always are
   */
  public record AuditLogProperties(@Nullable Path file, @DefaultValue("true") boolean accepted) {}

  /**
   * Kept evidence.
   *
   * @param folder where to; absent: {@code evidence} in {@code staithe.state}
   */
  public record EvidenceProperties(@Nullable Path folder) {}
}
