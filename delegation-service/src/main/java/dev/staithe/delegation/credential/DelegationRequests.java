package dev.staithe.delegation.credential;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.key.KeyPool;
import dev.staithe.delegation.store.DelegationRow;
import dev.staithe.delegation.store.DelegationStore;
import dev.staithe.delegation.store.RequestRow;
import dev.staithe.delegation.store.RuleRow;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.grid.DelegatedChainVerdict;
import dev.staithe.pki.grid.PemChain;
import dev.staithe.pki.grid.VomsAttributes;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a delegation comes here: a request goes out, a proxy for its key comes back. Thread-safe. */
final class DelegationRequests {
  private final DelegationSettings settings;
  private final DelegationStore store;
  private final KeyPool keys;
  private final SealedKeys sealed;
  private final ChainJudge judge;
  private final Clock clock;

  DelegationRequests(
      DelegationSettings settings,
      DelegationStore store,
      KeyPool keys,
      SealedKeys sealed,
      ChainJudge judge,
      Clock clock) {
    this.settings = settings;
    this.store = store;
    this.keys = keys;
    this.sealed = sealed;
    this.judge = judge;
    this.clock = clock;
  }

  ProxyRequest begin(
      Actor actor, DelegationId id, @Nullable AcquireRules rules, @Nullable KeyKind kind)
      throws Refusal {
    Instant now = clock.instant();
    String owner = actor.name();
    Optional<DelegationRow> former = store.find(owner, id.text()).filter(each -> lives(each, now));
    if (former.isPresent()) {
      checkTaken(actor, former.get());
    }
    checkCount(owner, id, now, former.isEmpty(), 0);
    RequestedKey key =
        keys.take(kind == null ? settings.kind().of(actor.owner()) : kind)
            .orElseThrow(
                () ->
                    new Refusal(
                        Kind.UNAVAILABLE, "more keys are asked for than can be made: try again"));
    String digest = SealedKeys.digest(key.publicKey());
    store.add(
        sealed.seal(
            new RequestRow(
                digest,
                owner,
                id.text(),
                actor.through(),
                new byte[0],
                true,
                rules == null ? null : Rows.row(rules),
                now.plus(settings.requestLifetime())),
            key.key()));
    try {
      // Others may have begun since: whoever is one too many takes its own back.
      checkCount(owner, id, now, former.isEmpty(), 1);
    } catch (Refusal tooMany) {
      store.removeRequest(digest, now);
      throw tooMany;
    }
    return new ProxyRequest(id, key.pem());
  }

  /**
   * What was put.
   *
   * @param doubt why its VOMS attributes are not believed; null where they are, or there are none
   */
  record StoredProxy(DelegationRow row, @Nullable String doubt) {}

  StoredProxy put(Actor actor, DelegationId id, String chainPem) throws Refusal {
    Instant now = clock.instant();
    List<X509Certificate> sent =
        switch (PemChain.parse(chainPem)) {
          case PemChain.Certificates(List<X509Certificate> certificates) -> certificates;
          case PemChain.Refused refused ->
              throw new Refusal(
                  refused.reason() == DelegatedChainVerdict.Reason.TOO_LONG
                      ? Kind.TOO_LARGE
                      : Kind.BAD_PROXY,
                  refused.line());
        };
    PublicKey key = sent.getFirst().getPublicKey();
    String digest = SealedKeys.digest(key);
    RequestRow request = request(actor, id, digest, now);
    DelegatedChainVerdict.Accepted good =
        switch (judge.judge(sent, key, actor.owner().subject())) {
          case DelegatedChainVerdict.Accepted accepted -> accepted;
          case DelegatedChainVerdict.Refused refused ->
              throw new Refusal(
                  Kind.BAD_PROXY, refused.line(), refused.reason() + ": " + refused.line());
        };
    if (good.independent()) {
      // RFC 3820 section 3.8.2: it is somebody new, whom nobody gave any rights.
      throw new Refusal(
          Kind.BAD_PROXY,
          "the proxy is independent: it has none of the rights of its maker, so nobody could act"
              + " for you by it",
          "INDEPENDENT");
    }
    checkLifetime(good, now);
    List<String> fqans = fqans(good);
    return new StoredProxy(
        keep(new ReceivedProxy(actor, id, request, good, fqans, now)), doubt(good));
  }

  /** A proxy that is good by itself. */
  private record ReceivedProxy(
      Actor actor,
      DelegationId id,
      RequestRow request,
      DelegatedChainVerdict.Accepted verdict,
      List<String> fqans,
      Instant now) {}

  private RequestRow request(Actor actor, DelegationId id, String digest, Instant now)
      throws Refusal {
    Optional<RequestRow> request =
        store
            .findRequest(digest, now)
            .filter(each -> each.owner().equals(actor.name()) && each.id().equals(id.text()))
            .filter(each -> Objects.equals(each.through(), actor.through()));
    if (request.isPresent()) {
      return request.get();
    }
    throw store.waits(actor.name(), id.text(), now)
        ? new Refusal(
            Kind.BAD_PROXY, "the proxy is for another key than that of the request", "KEY")
        : noRequest();
  }

  private static Refusal noRequest() {
    return new Refusal(
        Kind.NO_REQUEST,
        "no request waits for this proxy: each is good for one, so ask for a new one");
  }

  private void checkLifetime(DelegatedChainVerdict.Accepted good, Instant now) throws Refusal {
    Instant end = good.chain().getFirst().getNotAfter().toInstant();
    if (end.isAfter(now.plus(settings.longestLifetime()))) {
      throw new Refusal(
          Kind.BAD_PROXY,
          "the proxy lives longer than " + settings.longestLifetime().toHours() + " hours",
          "LIFETIME: ends at " + end);
    }
  }

  private static List<String> fqans(DelegatedChainVerdict.Accepted good) throws Refusal {
    List<String> fqans =
        good.voms().stream()
            .map(VomsAttributes::fqans)
            .flatMap(List::stream)
            .filter(fqan -> !fqan.isEmpty())
            .distinct()
            .toList();
    if (String.join("", fqans).codePoints().anyMatch(Character::isISOControl)) {
      throw new Refusal(Kind.BAD_PROXY, "a VOMS attribute has control characters");
    }
    return fqans;
  }

  private static @Nullable String doubt(DelegatedChainVerdict.Accepted good) {
    for (VomsAttributes each : good.voms()) {
      if (!each.verified()) {
        return each.doubt();
      }
    }
    return null;
  }

  private DelegationRow keep(ReceivedProxy arrived) throws Refusal {
    return RowChange.together(store, () -> keepTogether(arrived));
  }

  private DelegationRow keepTogether(ReceivedProxy arrived) throws Refusal {
    String owner = arrived.actor().name();
    String id = arrived.id().text();
    // Of two that put for one key the second waits here, and finds nothing.
    if (!store.removeRequest(arrived.request().keyDigest(), arrived.now())) {
      throw noRequest();
    }
    Optional<DelegationRow> row = store.lock(owner, id);
    Optional<DelegationRow> former = row.filter(each -> lives(each, arrived.now()));
    if (former.isPresent()) {
      checkTaken(arrived.actor(), former.get());
      checkAttributes(former.get().fqans(), arrived.fqans());
    }
    DelegationRow kept = row(arrived, row.orElse(null), former.orElse(null));
    if (row.isPresent()) {
      store.replace(kept);
    } else {
      store.add(kept);
    }
    store.addKey(kept.keyDigest(), owner, id, arrived.verdict().notAfter());
    return kept;
  }

  /** With the key of the request, and rules that nobody changed on the way. */
  private DelegationRow row(
      ReceivedProxy arrived, @Nullable DelegationRow before, @Nullable DelegationRow former)
      throws Refusal {
    DelegatedChainVerdict.Accepted good = arrived.verdict();
    RequestRow request = arrived.request();
    RuleRow rules = request.rules();
    // Rules of who acted for the owner are not the owner's: they do not bind the owner's own proxy.
    boolean goesOn = former != null && Objects.equals(former.through(), arrived.actor().through());
    // Rules that come with a delegation begin to count anew.
    int used = former == null || !goesOn || rules != null ? 0 : former.used();
    // What is taken over, and whose it was, must be what was put.
    if (former != null && (rules == null || arrived.actor().through() != null)) {
      sealed.check(former);
    }
    if (rules == null) {
      rules = former == null || !goesOn ? Rows.row(settings.usual()) : former.rules();
    }
    DelegationRow row =
        new DelegationRow(
            arrived.actor().name(),
            arrived.id().text(),
            arrived.actor().through(),
            before == null ? 0 : before.version() + 1,
            request.keyDigest(),
            request.sealed(),
            request.bound(),
            Pem.encode(good.chain()),
            good.notAfter(),
            arrived.fqans(),
            rules,
            used,
            good.limited(),
            good.legacy(),
            good.pathLeft(),
            former == null ? arrived.now() : former.created(),
            arrived.now());
    return sealed.seal(row, request);
  }

  private static void checkTaken(Actor actor, DelegationRow former) throws Refusal {
    if (!actor.mayChange(former)) {
      throw new Refusal(
          Kind.CONFLICT,
          "the id is taken: choose another",
          "acts through " + actor.through() + " and may not change what was not made through it");
    }
  }

  private static void checkAttributes(List<String> former, List<String> now) throws Refusal {
    if (!former.equals(now)) {
      throw new Refusal(
          Kind.CONFLICT,
          "the VOMS attributes are not those of the proxy before: "
              + (former.isEmpty() ? "none" : String.join(", ", former)));
    }
  }

  /**
   * Counted where a request begins, with the delegations that others which wait may become, so that
   * nothing needs to be counted when a proxy is put.
   *
   * @param own requests among them that this one has made
   */
  private void checkCount(String owner, DelegationId id, Instant now, boolean isNew, int own)
      throws Refusal {
    int most = settings.mostPerOwner();
    int mostRequests = settings.mostRequestsPerOwner();
    DelegationStore.Count count = store.count(owner, id.text(), now, most, mostRequests + own);
    if (count.requests() >= mostRequests + own) {
      throw new Refusal(
          Kind.TOO_MANY,
          "you have " + mostRequests + " requests open: put proxies for them, or wait");
    }
    if (isNew && count.delegations() + count.becoming() >= most) {
      throw new Refusal(
          Kind.TOO_MANY,
          count.delegations() >= most
              ? "you have " + most + " delegations: destroy some that you do not need"
              : "you have "
                  + count.delegations()
                  + " delegations, and "
                  + count.becoming()
                  + " are begun, of "
                  + most
                  + ": put proxies for these, or destroy what you do not need");
    }
  }

  static boolean lives(DelegationRow row, Instant now) {
    return row.notAfter().isAfter(now);
  }
}
