package dev.staithe.storage.settings;

import dev.staithe.pki.GridSubject;
import dev.staithe.service.Settings;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.GroupName;
import dev.staithe.storage.authz.TokenCaller;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How third-party copies are looked on.
 *
 * @param administrators who see and may cancel every one
 * @param ended how many that have ended are remembered, 0 to 10000
 */
public record TransfersProperties(
    @DefaultValue List<Administrator> administrators, @DefaultValue("200") int ended) {
  /** Checks the values. */
  public TransfersProperties {
    Settings.requireWithin(ended, 0, 10_000, "ended");
    administrators = List.copyOf(administrators);
  }

  /**
   * The holder of a client certificate, or those whose token an issuer has made out to a subject or
   * for a group. One who bears a token that this server made for an administrator is none.
   *
   * @param certificate its whole name
   * @param issuer of tokens
   * @param subject of a token
   * @param group that a token names
   */
  public record Administrator(
      @Nullable String certificate,
      @Nullable String issuer,
      @Nullable String subject,
      @Nullable String group) {
    /** Checks that it is one of the three. */
    public Administrator {
      group = group == null ? null : GroupName.ofRule(group);
      boolean ofToken =
          issuer != null && Stream.of(subject, group).filter(each -> each != null).count() == 1;
      boolean ofCertificate =
          certificate != null && issuer == null && subject == null && group == null;
      Settings.require(
          ofCertificate || ofToken && certificate == null,
          "administrators",
          "",
          "each a certificate, or an issuer with a subject or a group");
      if (certificate != null) {
        AreaChecks.requireSubject(certificate);
      }
    }

    private boolean is(Caller caller) {
      return switch (caller) {
        case CertificateCaller holder ->
            certificate != null && holder.subject().equals(GridSubject.parse(certificate));
        case TokenCaller token ->
            token.issuer().equals(issuer)
                && (token.subject().equals(subject)
                    || group != null && token.groups().contains(group));
        default -> false;
      };
    }
  }

  /** Whether the caller is one of the administrators. */
  public boolean administers(Caller caller) {
    return administrators.stream().anyMatch(each -> each.is(caller));
  }
}
