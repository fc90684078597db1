package dev.staithe.storage.contracts;

import dev.staithe.contracts.record.ContractRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this host has agreed to take and that has not begun to come. In memory alone: where it is
 * lost nothing has moved, and the sender offers anew. Thread-safe.
 */
final class Agreements {
  /** As long as the signature that agrees. */
  private static final Duration LIFETIME = Duration.ofMinutes(5);

  private final Map<String, Agreement> open = new ConcurrentHashMap<>();

  /**
   * To one file.
   *
   * @param id of the contract
   * @param peer {@code host:port} that offers, or the name of a person who does
   * @param key id of the one by which a person signs; empty for a host, whose keys are published
   * @param url where the file is to go
   * @param size in bytes
   * @param sha256 of the file, in hexadecimal
   * @param terms that were agreed to, as SHA-256 in hexadecimal; empty: none
   * @param signed by this host
   * @param made when
   */
  record Agreement(
      String id,
      String peer,
      String key,
      String url,
      long size,
      String sha256,
      String terms,
      ContractRecord.Part signed,
      Instant made) {
    /** Whether a person offers. */
    boolean ofPerson() {
      return !key.isEmpty();
    }

    private boolean holds(Instant now) {
      return made.plus(LIFETIME).isAfter(now);
    }
  }

  /** Keeps one; false where there is one of that contract. */
  boolean add(Agreement agreement) {
    return open.putIfAbsent(agreement.id(), agreement) == null;
  }

  /** That of a contract, if it holds. */
  Optional<Agreement> find(String id, Instant now) {
    return Optional.ofNullable(open.get(id)).filter(each -> each.holds(now));
  }

  /** Takes it for the one delivery that it is good for; false where that has begun already. */
  boolean take(Agreement agreement) {
    return open.remove(agreement.id(), agreement);
  }

  /** How many hold with one host, about; those that hold no more, of all hosts, are forgotten. */
  long with(String peer, Instant now) {
    open.values().removeIf(each -> !each.holds(now));
    return open.values().stream().filter(each -> each.peer().equals(peer)).count();
  }
}
