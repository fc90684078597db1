package dev.staithe.authn;

import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.StoredProperties;
import dev.staithe.service.Settings;
import dev.staithe.service.properties.AccessLogProperties;
import dev.staithe.service.properties.AuditLogProperties;
import dev.staithe.service.properties.AuditedProperties;
import dev.staithe.service.properties.LimitsProperties;
import dev.staithe.service.properties.MetricsProperties;
import dev.staithe.service.properties.ProxyProperties;
import dev.staithe.service.properties.TlsProperties;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything that a site can set; {@code docs/authn-service.yml} explains each key.
 *
 * @param issuer the URL by which everybody knows this service, the {@code iss} of its tokens
 * @param state a folder for what this node keeps by itself: the embedded database where no other is
 *     named
 * @param tls the server's end of TLS
 * @param http2 whether clients that offer HTTP/2 get it
 * @param limits what one client may take
 * @param proxy a reverse proxy or load balancer in front
 * @param metrics who may read metrics and details of health
 * @param accessLog one line for every request
 * @param auditLog one line for everything that matters afterwards
 * @param database where sessions, users, clients and keys are, unless one of them has its own
 * @param sessions how long, how many, how sure
 * @param users where accounts are
 * @param login passwords, codes, attempts
 * @param tokens what the authorization server issues
 * @param administration who may change things
 */
@ConfigurationProperties("staithe")
public record AuthnProperties(
    @Nullable URI issuer,
    @DefaultValue("authn-data") Path state,
    @DefaultValue TlsProperties tls,
    @DefaultValue("false") boolean http2,
    @DefaultValue LimitsProperties limits,
    @DefaultValue ProxyProperties proxy,
    @DefaultValue MetricsProperties metrics,
    @DefaultValue AccessLogProperties accessLog,
    @DefaultValue AuditLogProperties auditLog,
    @DefaultValue DatabaseProperties database,
    @DefaultValue SessionsProperties sessions,
    @DefaultValue UsersProperties users,
    @DefaultValue LoginProperties login,
    @DefaultValue TokensProperties tokens,
    @DefaultValue Administration administration)
    implements AuditedProperties, StoredProperties {

  /** Checks what concerns more than one group. */
  public AuthnProperties {
    Settings.requireOwnUrl(issuer, Set.of("https", "http"), "issuer", "https://authn.example.org");
    tls.requireFiles();
  }

  /** Standard output, where no file is named. */
  @Override
  public @Nullable Path auditFile() {
    return auditLog.file();
  }

  /** A year of logins. */
  @Override
  public int auditDays() {
    return 365;
  }

  @Override
  public String databaseName() {
    return "authn";
  }

  /**
   * Administration by REST and by the staithe command.
   *
   * @param group whose members may
   * @param secondFactor whether their session must have been begun with a one-time code
   * @param firstPasswordFile holds the first administrator's password in its first line; absent:
   *     one is made and printed
   */
  public record Administration(
      @DefaultValue("/staithe/administrators") String group,
      @DefaultValue("false") boolean secondFactor,
      @Nullable Path firstPasswordFile) {
    /** Checks form and file. */
    public Administration {
      Settings.require(
          group.matches("(/[A-Za-z0-9._-]+)+"), "group", group, "a group such as /site/admins");
      if (firstPasswordFile != null) {
        Settings.requireFile(firstPasswordFile, "first-password-file");
      }
    }
  }
}
