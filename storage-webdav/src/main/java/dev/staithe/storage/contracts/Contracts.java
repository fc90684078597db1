package dev.staithe.storage.contracts;

import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.log.TileLog;
import dev.staithe.contracts.log.WitnessFolder;
import dev.staithe.contracts.person.PersonProperties;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.storage.contracts.host.AreaContracts;
import dev.staithe.storage.contracts.host.AreaPeople;
import dev.staithe.storage.contracts.host.OwnProperties;
import dev.staithe.storage.contracts.host.OwnTpm;
import dev.staithe.storage.contracts.host.Party;
import dev.staithe.storage.contracts.host.People;
import dev.staithe.storage.contracts.journal.ContractRow;
import dev.staithe.storage.contracts.journal.ContractStore;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.PutMethod;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.issuers.IdTokenKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** The contracts of this storage element, of all its areas. Thread-safe. */
public final class Contracts implements AutoCloseable {
  /** There are none. */
  public static final Contracts OFF =
      new Contracts(Map.of(), Set.of(), Map.of(), null, null, null, null);

  /** Said to whoever needs the database while it is away; the same request may succeed later. */
  public static final String AWAY = "the database of contracts does not answer";

  /** By which a refusal names the terms that it wants, as their SHA-256. */
  static final String TERMS = "Want-Contract-Terms";

  private final Map<String, AreaContracts> areas;
  private final Set<String> acceptedTerms;
  private final Map<String, People> people;
  private final @Nullable Party party;
  private final @Nullable ContractStore store;
  private final @Nullable Partners partners;
  private final @Nullable Witness witness;
  private final @Nullable Acknowledging acknowledging;
  private final Map<String, String> learned = new ConcurrentHashMap<>();
  private final Agreements agreements = new Agreements();
  private final PartsSent parts = new PartsSent();
  private final VerifiedProperties verified = new VerifiedProperties();
  private final Refusals refusals = new Refusals();
  private final AtomicLong failedVerifications = new AtomicLong();

  private Contracts(
      Map<String, AreaContracts> areas,
      Set<String> acceptedTerms,
      Map<String, People> people,
      @Nullable Party party,
      @Nullable ContractStore store,
      @Nullable Partners partners,
      @Nullable Witness witness) {
    this.areas = Map.copyOf(areas);
    this.acceptedTerms = Set.copyOf(acceptedTerms);
    this.people = Map.copyOf(people);
    this.party = party;
    this.store = store;
    this.partners = partners;
    this.witness = witness;
    this.acknowledging = party == null ? null : new Acknowledging(this, party);
  }

  /**
   * This host as a party.
   *
   * @param origin by which partners know it, as {@code https://a.example:8443}
   * @param key of its contracts
   * @param oldKeys that signed before it, each with its end
   * @param properties what it says of itself
   * @param tpm what quotes for it; null: nothing does
   * @param state folder of its log, of that one's key, and of statements
   * @param acceptedTerms of others, each as SHA-256 in hexadecimal
   * @param witnessEvery how often the logs of partners are looked at
   */
  public record Site(
      String origin,
      ContractKey key,
      List<PartyKey> oldKeys,
      Map<String, Object> properties,
      @Nullable OwnTpm tpm,
      Path state,
      Set<String> acceptedTerms,
      Duration witnessEvery) {}

  /**
   * Opens the log, and goes on with what was not acknowledged.
   *
   * @param areas by name
   * @param engines make an engine in client mode for host and port, to ask partners
   * @param issuers the keys by which ID tokens of people are judged
   * @throws IOException with one line where the log is not what it was
   */
  public static Contracts open(
      Site site,
      Map<String, AreaContracts> areas,
      ContractStore store,
      BiFunction<String, Integer, SSLEngine> engines,
      IdTokenKeys issuers,
      Clock clock)
      throws IOException {
    String name = site.origin().substring("https://".length()) + "/.staithe/log";
    LogKey logKey = LogKey.readOrMake(site.state().resolve("log.key"), name);
    TileLog log = TileLog.open(site.state().resolve("log"), logKey);
    Party party =
        new Party(
            site.origin(),
            site.key(),
            site.oldKeys(),
            new OwnProperties(site.origin(), site.properties(), site.key(), site.tpm(), clock),
            logKey,
            log,
            clock);
    Map<String, People> people = new HashMap<>();
    for (Map.Entry<String, AreaContracts> area : areas.entrySet()) {
      AreaPeople rules = area.getValue().people();
      if (rules != null) {
        people.put(area.getKey(), people(area.getKey(), rules, issuers, clock));
      }
    }
    store.interrupted(clock.instant());
    Set<String> hosts =
        areas.values().stream()
            .flatMap(area -> area.hosts().stream())
            .collect(Collectors.toUnmodifiableSet());
    Partners partners = new Partners(engines, clock);
    Witness witness =
        Witness.open(
            partners,
            hosts,
            new WitnessFolder(site.state().resolve("witnessed")),
            site.witnessEvery(),
            clock);
    return new Contracts(areas, site.acceptedTerms(), people, party, store, partners, witness);
  }

  private static People people(String area, AreaPeople rules, IdTokenKeys issuers, Clock clock)
      throws IOException {
    try {
      return People.open(rules, issuers, clock);
    } catch (IOException e) {
      throw new IOException(
          "contracts.people.trust of the area " + area + ": " + e.getMessage(), e);
    }
  }

  /** Begins to tell what was not acknowledged before; once this server answers itself. */
  public void start() {
    if (acknowledging != null && witness != null) {
      acknowledging.start();
      witness.start();
    }
  }

  /** What holds in an area. */
  public AreaContracts of(String area) {
    return areas.getOrDefault(area, AreaContracts.NONE);
  }

  /** Who may be a party beside hosts; empty where people may not. */
  Optional<People> people(String area) {
    return Optional.ofNullable(people.get(area));
  }

  /** Whether nothing of the area leaves without a contract. */
  public boolean required(String area) {
    return of(area).mode() == AreaContracts.Mode.REQUIRE;
  }

  /** Whether this host is a party of contracts. */
  public boolean areMade() {
    return party != null;
  }

  /** Puts contracts before GET, and before HEAD, by which one is made for a file in parts. */
  public DavMethod before(DavMethod get) {
    Party own = party;
    return own == null ? get : whereKept(new ContractedGet(get, this, own));
  }

  /** Puts contracts before PUT. */
  public DavMethod beforePut(PutMethod put) {
    Party own = party;
    return own == null ? put : whereKept(new ContractedPut(put, this, own));
  }

  /**
   * Takes offers of files, by POST to where they are to go; empty where there are no contracts.
   *
   * @param elsewhere what is asked first
   */
  public Optional<DavMethod> offers(OfferElsewhere elsewhere) {
    return Optional.ofNullable(party).map(own -> whereKept(new OfferedPut(this, own, elsewhere)));
  }

  /** Has who asks come again where the database of contracts is away, as in a fail-over. */
  private static DavMethod whereKept(DavMethod method) {
    return exchange -> {
      try {
        method.handle(exchange);
      } catch (DataAccessException away) {
        throw new StoreAwayException(AWAY, away);
      }
    };
  }

  /** Takes receipts; empty where there are no contracts. */
  public Optional<DavHandler.Desk> receipts() {
    return Optional.ofNullable(party).map(own -> new ReceiptDesk(new ReceiptDoor(this, own)));
  }

  /**
   * The contract of a copy that takes a file from here to another host; empty where the area has
   * none.
   *
   * @param path of the file, for those who look for it later
   * @param required whether the client wants one whatever the area offers
   */
  public Optional<PushContract> push(String area, String path, boolean required) {
    Party own = party;
    AreaContracts rules = required ? of(area).required() : of(area);
    return own == null || rules.mode() == AreaContracts.Mode.OFF
        ? Optional.empty()
        : Optional.of(new PushContract(this, own, rules, area, path));
  }

  /**
   * Whether a copy to or from that host is to have a contract.
   *
   * @param host {@code host:port}
   * @param url of the file there, absolute
   * @throws IOException with one line, where the area has no copies with that host
   */
  boolean partner(AreaContracts area, String host, String url) throws IOException {
    boolean required = area.mode() == AreaContracts.Mode.REQUIRE;
    if (!area.hosts().contains(host) || !url.startsWith("https://")) {
      if (required) {
        throw new IOException(
            "this area takes and gives files by contract only, and has none with " + host);
      }
      return false;
    }
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      throw new IOException(obstacle.get());
    }
    if (required && witness().against(host).isPresent()) {
      throw new IOException("the log of " + host + " is not what it was: no contracts with it");
    }
    if (url.contains("authz=")) {
      throw new IOException("a URL with a credential in it cannot be in a contract");
    }
    return true;
  }

  /**
   * The contract of a copy that brings a file here; empty where the area has none.
   *
   * @param path of the file, for those who look for it later
   * @param required whether the client wants one whatever the area offers
   */
  public Optional<PullContract> pull(String area, String path, boolean required) {
    Party own = party;
    AreaContracts rules = required ? of(area).required() : of(area);
    return own == null || rules.mode() == AreaContracts.Mode.OFF
        ? Optional.empty()
        : Optional.of(new PullContract(this, own, rules, area, path));
  }

  /** Why this host makes and ends no contracts now, as one line; empty where it does. */
  public Optional<String> obstacle() {
    return store == null || store.failure() == null
        ? Optional.empty()
        : Optional.of(
            "this host has no contracts until it is started anew: its journal is not on the disk");
  }

  /** Contracts under which bytes went out and that nobody acknowledged. */
  public long open() {
    return store == null ? 0 : store.open();
  }

  /** What was received, or thrown away, and is still to be told to its sender. */
  public long untold() {
    return store == null
        ? 0
        : store.untold(Acknowledging.since(Objects.requireNonNull(party).now()));
  }

  /** Entries of the log. */
  public long logged() {
    return party == null ? 0 : party.log().checkpoint().size();
  }

  /** Requests for contracts that were refused since the start. */
  public long refusals() {
    return refusals.total();
  }

  /** Messages of partners and people whose signature was not good, since the start. */
  public long failedVerifications() {
    return failedVerifications.get();
  }

  void failedVerification() {
    failedVerifications.incrementAndGet();
  }

  /** Bytes of the log. */
  public long logBytes() {
    return party == null ? 0 : party.log().bytes();
  }

  /** Partners whose log is not what it was. */
  public long inconsistent() {
    return witness == null ? 0 : witness.inconsistent();
  }

  Witness witness() {
    return Objects.requireNonNull(witness);
  }

  Refusals refused() {
    return refusals;
  }

  Optional<Party> party() {
    return Optional.ofNullable(party);
  }

  ContractStore store() {
    return Objects.requireNonNull(store);
  }

  Partners partners() {
    return Objects.requireNonNull(partners);
  }

  Acknowledging acknowledging() {
    return Objects.requireNonNull(acknowledging);
  }

  /** What partners say of themselves. */
  VerifiedProperties verifiedProperties() {
    return verified;
  }

  /** What this host has agreed to take. */
  Agreements agreements() {
    return agreements;
  }

  /** What has gone out of files that are asked for in parts. */
  PartsSent parts() {
    return parts;
  }

  /**
   * The key by which the receiver of a contract signs: a host's is published, a person's is in the
   * request that was accepted.
   *
   * @throws IOException where the keys of the host cannot be had
   */
  PartyKey receiverKey(ContractRow row, String keyId) throws BadSignature, IOException {
    if (!row.ofPerson()) {
      return partners().of(row.peer(), keyId).key(row.peer(), keyId);
    }
    return personsKey(row.request(), keyId);
  }

  /** The key that a person's message was accepted by, and that she signs all others by. */
  static PartyKey personsKey(ContractRecord.Part accepted, String keyId) throws BadSignature {
    PartyKey fresh = PersonProperties.claimed(accepted.line("host-properties").orElse("")).key();
    if (!fresh.id().equals(keyId)) {
      throw new BadSignature("it is not signed by the key that asked for the file, or brought it");
    }
    return fresh;
  }

  /** Whether terms of others may be agreed to. */
  boolean accepts(String terms) {
    return acceptedTerms.contains(terms);
  }

  /** The terms that a partner's files are under, as it last said; empty: none. */
  String agreedTerms(String host) {
    return learned.getOrDefault(host, "");
  }

  /**
   * The terms that a refusal names, for the next time too; empty where they may not be agreed to.
   */
  Optional<String> learnTerms(String host, String field) {
    try {
      byte[] hash =
          field.length() > 2 && field.startsWith(":") && field.endsWith(":")
              ? Base64.getDecoder().decode(field.substring(1, field.length() - 1))
              : new byte[0];
      String terms = HexFormat.of().formatHex(hash);
      if (hash.length == Hash.BYTES && acceptedTerms.contains(terms)) {
        learned.put(host, terms);
        return Optional.of(terms);
      }
    } catch (IllegalArgumentException malformed) {
      // They are nobody's.
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    if (acknowledging != null) {
      acknowledging.close();
    }
    if (witness != null) {
      witness.close();
    }
    if (partners != null) {
      partners.close();
    }
    people.values().forEach(People::close);
  }
}
