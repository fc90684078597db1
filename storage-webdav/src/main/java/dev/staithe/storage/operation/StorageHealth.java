package dev.staithe.storage.operation;

import dev.staithe.storage.accounts.AccountMap;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.contracts.host.OwnTpm;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.issuers.IssuerKeys;
import dev.staithe.storage.issuers.IssuerStatus;
import dev.staithe.storage.objects.EngineTrouble;
import dev.staithe.storage.objects.ObjectStore;
import dev.staithe.storage.policy.AreaPolicy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether the storage element can do its work: each area can be written and has room, the keys of
 * each issuer are known. Details name areas and issuers, never folders.
 */
public final class StorageHealth {
  private static final Logger log = LoggerFactory.getLogger(StorageHealth.class);

  private StorageHealth() {}

  /** Areas: down where one cannot be written or is full. */
  public static HealthIndicator areas(List<ServedArea> areas) {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      boolean up = true;
      for (ServedArea served : areas) {
        FileStore store = served.area().store();
        String name = served.area().name();
        try {
          store.probe();
          long free = store.room().available();
          details.put(name, writable(store, free));
          up &= free > 0;
        } catch (IOException e) {
          log.warn(
              "area {} cannot be written: {}",
              name,
              EngineTrouble.of(e).isPresent() || e instanceof StoreAwayException
                  ? String.valueOf(e.getCause())
                  : e.toString());
          details.put(name, unwritable(e));
          up = false;
        }
      }
      return (up ? Health.up() : Health.down()).withDetails(details).build();
    };
  }

  /** For areas in an object store also what that does not do; where it is stays in the log. */
  private static Map<String, Object> unwritable(IOException failure) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("writable", false);
    EngineTrouble.of(failure).ifPresent(trouble -> details.put("engine", trouble));
    return details;
  }

  /** For areas in an object store also what that was seen to keep, and whether its keys are new. */
  private static Map<String, Object> writable(FileStore store, long free) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("writable", true);
    if (store instanceof ObjectStore objects) {
      details.put("engine", objects.traits().summary());
      String error = objects.credentialsError();
      if (error != null) {
        details.put("credentials", "the newest file of credentials is not in use");
        log.warn("the newest file of credentials is not in use: {}", error);
      }
      String clocks = objects.clockError();
      if (clocks != null) {
        details.put("clock", clocks);
        log.warn("{}", clocks);
      }
    } else {
      details.put("freeBytes", free);
    }
    return details;
  }

  /** Policies: degraded where the file of one is wrong, so that the one before stays in force. */
  public static HealthIndicator policies(Map<String, AreaPolicy> policies) {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      boolean all = true;
      for (Map.Entry<String, AreaPolicy> each : policies.entrySet()) {
        AreaPolicy policy = each.getValue();
        if (policy.present()) {
          String error = policy.lastError();
          all &= error == null;
          details.put(
              each.getKey(),
              error == null
                  ? Map.of("rules", policy.rules())
                  : Map.of("rules", policy.rules(), "error", error));
        }
      }
      return (all ? Health.up() : Health.status(new Status("DEGRADED")))
          .withDetails(details)
          .build();
    };
  }

  /** Mappings to local accounts: degraded where a file is wrong, as those of policies. */
  public static HealthIndicator accounts(Map<String, AccountMap> accounts) {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      boolean all = true;
      for (Map.Entry<String, AccountMap> each : accounts.entrySet()) {
        AccountMap map = each.getValue();
        String error = map.lastError();
        all &= error == null;
        details.put(
            each.getKey(),
            error == null
                ? Map.of("mapped", map.size())
                : Map.of("mapped", map.size(), "error", error));
      }
      return (all ? Health.up() : Health.status(new Status("DEGRADED")))
          .withDetails(details)
          .build();
    };
  }

  /** The TPM: degraded where it made no quote last time, and the property list went without. */
  public static HealthIndicator tpm(@Nullable OwnTpm tpm) {
    return () -> {
      if (tpm == null) {
        return Health.up().build();
      }
      String error = tpm.lastError();
      Health.Builder health = error == null ? Health.up() : Health.status(new Status("DEGRADED"));
      health.withDetail("attestation-key", tpm.key().id());
      return error == null ? health.build() : health.withDetail("error", error).build();
    };
  }

  /** Contracts: degraded, not down, where there are none until a restart; all else goes on. */
  public static HealthIndicator contracts(Contracts contracts) {
    return () ->
        contracts
            .obstacle()
            .map(error -> Health.status(new Status("DEGRADED")).withDetail("error", error).build())
            .orElseGet(() -> Health.up().build());
  }

  /**
   * Issuers: degraded, not down, where the keys of one are missing, for the others and anonymous
   * reading go on.
   */
  public static HealthIndicator issuers(IssuerKeys keys) {
    return () -> {
      Map<String, Object> details = new LinkedHashMap<>();
      boolean all = true;
      for (IssuerStatus issuer : keys.status()) {
        all &= issuer.usable();
        details.put(
            issuer.issuer(),
            issuer.lastError() == null
                ? Map.of("keys", issuer.keys())
                : Map.of("keys", issuer.keys(), "error", issuer.lastError()));
      }
      return (all ? Health.up() : Health.status(new Status("DEGRADED")))
          .withDetails(details)
          .build();
    };
  }
}
