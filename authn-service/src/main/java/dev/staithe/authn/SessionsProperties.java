package dev.staithe.authn;

import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.session.Freshness;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.service.Settings;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sessions.
 *
 * @param store where they are kept
 * @param persistence what the store promises before a login or logout is answered
 * @param database their own database, where it is not {@code staithe.database}
 * @param readUrl a replica near this node for what is only read; PostgreSQL alone
 * @param redis where {@code store} is redis
 * @param idle a session ends when it was not used for so long
 * @param absolute a session ends so long after it was begun
 * @param perUser most sessions of one user at a time
 * @param whenTooMany what a login beyond that does
 * @param freshness what a validation that does not say otherwise asks for
 * @param freshnessBound how old the node's knowledge of ended sessions may be for {@code bounded}
 * @param poll how often the log of ended sessions is read
 * @param acknowledgeWithin how long a login or logout waits for the store's promise
 */
public record SessionsProperties(
    @DefaultValue("database") Store store,
    @DefaultValue("best-effort") PersistenceModel persistence,
    @Nullable DatabaseProperties database,
    @Nullable String readUrl,
    @DefaultValue Redis redis,
    @DefaultValue("30m") Duration idle,
    @DefaultValue("2h") Duration absolute,
    @DefaultValue("100") int perUser,
    @DefaultValue("end-oldest") WhenTooMany whenTooMany,
    @DefaultValue("bounded") Freshness freshness,
    @DefaultValue("1s") Duration freshnessBound,
    @DefaultValue("200ms") Duration poll,
    @DefaultValue("3s") Duration acknowledgeWithin) {
  /** Where sessions are kept. */
  public enum Store {
    /** The relational database. */
    DATABASE,
    /** Redis or Valkey. */
    REDIS
  }

  /** What a login does whose user has as many sessions as are allowed. */
  public enum WhenTooMany {
    /** Ends the oldest. */
    END_OLDEST,
    /** Is refused. */
    REFUSE
  }

  /**
   * Redis or Valkey.
   *
   * @param host of the primary
   * @param port of the primary
   * @param user the name in the access list; absent: the default one
   * @param tls whether it speaks TLS
   * @param trust PEM file or folder of authorities for that
   * @param passwordFile a file that holds the password alone; absent where none is asked
   */
  public record Redis(
      @DefaultValue("localhost") String host,
      @DefaultValue("6379") int port,
      @Nullable String user,
      @DefaultValue("false") boolean tls,
      @Nullable Path trust,
      @Nullable Path passwordFile) {
    /** Checks files and ranges. */
    public Redis {
      Settings.requireWithin(port, 1, 65535, "port");
      if (passwordFile != null) {
        Settings.requireFile(passwordFile, "password-file");
      }
    }
  }

  /** Checks the ranges. */
  public SessionsProperties {
    Settings.requireWithin(idle, Duration.ofSeconds(10), Duration.ofDays(30), "idle");
    Settings.requireWithin(absolute, idle, Duration.ofDays(30), "absolute");
    requireWholeSeconds(idle, "idle");
    requireWholeSeconds(absolute, "absolute");
    Settings.requireWithin(perUser, 1, 10_000, "per-user");
    Settings.requireWithin(poll, Duration.ofMillis(20), Duration.ofSeconds(10), "poll");
    Settings.requireWithin(
        freshnessBound, poll.multipliedBy(2), Duration.ofMinutes(1), "freshness-bound");
    Settings.requireWithin(
        acknowledgeWithin, Duration.ofMillis(100), Duration.ofMinutes(1), "acknowledge-within");
  }

  /** Tokens say both in seconds. */
  private static void requireWholeSeconds(Duration value, String key) {
    Settings.require(value.getNano() == 0, key, Settings.text(value), "whole seconds");
  }
}
