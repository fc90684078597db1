package dev.staithe.storage.settings;

import dev.staithe.service.Settings;
import dev.staithe.storage.authz.VomsRule;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Groups and roles that proxies carry as attributes of VOMS.
 *
 * @param trust a folder such as {@code /etc/grid-security/vomsdir}; absent: no attribute counts
 */
public record VomsProperties(@Nullable Path trust) {
  /**
   * What those may do whom an organization says to be of a group, or in a role.
   *
   * @param fqan the whole name, such as {@code /atlas/Role=production}; groups below it do not
   *     count
   * @param scopes what they may do, as WLCG scopes
   */
  public record Grant(@DefaultValue("") String fqan, @DefaultValue("") String scopes) {
    /** Checks both; the scopes are checked further where they are read. */
    public Grant {
      Settings.require(
          VomsRule.isName(fqan),
          "fqan",
          fqan,
          "a group or role of VOMS, such as /atlas or /atlas/production/Role=pilot");
      AreaChecks.requireScopes(scopes);
    }
  }

  /** Rules that could never count are a mistake. */
  void check(List<StorageProperties.Area> areas, @Nullable Path clientTrust) {
    Settings.require(
        trust == null || clientTrust != null,
        "voms.trust",
        String.valueOf(trust),
        "absent where staithe.client-certificates.trust is absent");
    for (int i = 0; i < areas.size(); i++) {
      Settings.require(
          trust != null || areas.get(i).voms().isEmpty(),
          "areas[" + i + "].voms",
          areas.get(i).voms().size() + " rules",
          "none where staithe.voms.trust is absent");
    }
  }
}
