package dev.staithe.delegation;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.DelegationSettings;
import dev.staithe.delegation.credential.KeyChoice;
import dev.staithe.pki.GridSubject;
import dev.staithe.service.Settings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is taken and given.
 *
 * @param acquirers subjects of the services that may act by a delegation whose owner names none
 * @param uses how many proxies such a delegation gives in all; absent: as many as they like
 * @param hops how many services further such a proxy goes
 * @param limited whether such proxies are limited in the sense of Globus
 * @param longestAcquired lifetime of a proxy that a service gets, the most that an owner can allow
 * @param longestLifetime of a proxy that is put here
 * @param mostPerUser delegations at once
 * @param mostRequestsPerUser requests at once that wait for a proxy
 * @param requestLifetime how long one waits
 * @param warnBefore how long before a delegation ends that is in use the log is told; 0: never
 */
public record DelegationsProperties(
    @DefaultValue List<String> acquirers,
    @Nullable Integer uses,
    @DefaultValue("2") int hops,
    @DefaultValue("false") boolean limited,
    @DefaultValue("12h") Duration longestAcquired,
    @DefaultValue("7d") Duration longestLifetime,
    @DefaultValue("1000") int mostPerUser,
    @DefaultValue("100") int mostRequestsPerUser,
    @DefaultValue("1h") Duration requestLifetime,
    @DefaultValue("1h") Duration warnBefore) {
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  /** Checks names and ranges. */
  public DelegationsProperties {
    for (String acquirer : acquirers) {
      try {
        AcquireRules.checkName(GridSubject.parse(acquirer));
      } catch (IllegalArgumentException e) {
        throw new Settings.InvalidSetting(
            "acquirers", acquirer, "the subject of a certificate, as CN=fts.example.org,O=Example");
      }
    }
    Settings.require(
        acquirers.size() <= AcquireRules.MOST_ACQUIRERS,
        "acquirers",
        acquirers.size() + " names",
        AcquireRules.MOST_ACQUIRERS + " names at most");
    if (uses != null) {
      Settings.requireWithin(uses, 1, AcquireRules.MOST_USES, "uses");
    }
    Settings.requireWithin(hops, 0, AcquireRules.MOST_HOPS, "hops");
    Settings.requireWithin(longestAcquired, SHORTEST, Duration.ofDays(30), "longest-acquired");
    Settings.requireWithin(longestLifetime, SHORTEST, Duration.ofDays(400), "longest-lifetime");
    Settings.requireWithin(mostPerUser, 1, 1_000_000, "most-per-user");
    Settings.requireWithin(mostRequestsPerUser, 1, 100_000, "most-requests-per-user");
    Settings.requireWithin(requestLifetime, SHORTEST, Duration.ofDays(1), "request-lifetime");
    Settings.requireWithin(warnBefore, Duration.ZERO, Duration.ofDays(30), "warn-before");
  }

  /** As the package takes them. */
  DelegationSettings settings(KeyChoice kind) {
    return new DelegationSettings(
        new AcquireRules(
            acquirers.stream().map(GridSubject::parse).toList(),
            uses,
            hops,
            limited,
            longestAcquired),
        kind,
        longestLifetime,
        mostPerUser,
        mostRequestsPerUser,
        requestLifetime);
  }
}
