package dev.staithe.storage.tokens;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.GrantedCaller.Limit;
import dev.staithe.storage.authz.GrantedCaller.Reach;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.StorageScope;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides who is given which token, and until when. Safe for many threads. */
final class TokenMint {
  private static final Logger log = LoggerFactory.getLogger(TokenMint.class);

  private final GivenTokens tokens;
  private final Areas areas;
  private final AreaPaths paths;
  private final Duration usual;
  private final Duration longest;
  private final Clock clock;

  TokenMint(TokenSettings settings, GivenTokens tokens, Areas areas, Clock clock) {
    this.tokens = tokens;
    this.areas = areas;
    this.paths = new AreaPaths(areas);
    this.usual = settings.usual();
    this.longest = settings.longest();
    this.clock = clock;
  }

  /** What came of a request. */
  sealed interface Minted {
    /**
     * Here it is.
     *
     * @param path that it is for, from the server's root
     * @param scope as the client asked for it, or as it was narrowed
     * @param seconds that it is good for, 1 or more
     */
    record Given(String token, StoragePath path, String scope, long seconds) implements Minted {
      /** Without the token. */
      @Override
      public String toString() {
        return "Given for " + seconds + " s";
      }
    }

    /** The caller may not; {@code reason} is one safe line. */
    record Denied(boolean authenticate, String reason) implements Minted {}

    /** The request makes no sense; {@code reason} is one safe line. */
    record Bad(String reason) implements Minted {}
  }

  /**
   * Answers a request.
   *
   * @param issuer this server, as the client calls it
   * @param credentialEnds when the caller's own credential does
   * @throws IOException with one line where there is no key
   */
  Minted mint(TokenRequest request, Caller caller, String issuer, Instant credentialEnds)
      throws IOException {
    Optional<String> giver = GiverText.of(caller);
    if (giver.isEmpty()) {
      return caller instanceof GrantedCaller
          ? new Minted.Denied(
              false, "a token of this server gives no other; add caveats to a macaroon instead")
          : new Minted.Denied(
              true, "show a certificate, a VOMS proxy or a token to be given another token");
    }
    Minted minted =
        switch (request) {
          case TokenRequest.Macaroon macaroon ->
              mint(macaroon, caller, giver.get(), credentialEnds);
          case TokenRequest.Jwt jwt -> mint(jwt, caller, giver.get(), issuer, credentialEnds);
        };
    return minted instanceof Minted.Given given && !GivenTokens.takes(given.token())
        ? new Minted.Bad("a token for all of that is longer than any that is taken: ask for less")
        : minted;
  }

  private Instant end(@Nullable Duration asked, Instant credentialEnds) {
    Duration validity = asked == null ? usual : asked;
    Instant end =
        clock
            .instant()
            .plus(validity.compareTo(longest) > 0 ? longest : validity)
            .truncatedTo(ChronoUnit.SECONDS);
    return end.isBefore(credentialEnds) ? end : credentialEnds.truncatedTo(ChronoUnit.SECONDS);
  }

  private long seconds(Instant end) {
    return Math.max(1, Duration.between(clock.instant(), end).toSeconds());
  }

  private Minted mint(
      TokenRequest.Macaroon request, Caller caller, String giver, Instant credentialEnds)
      throws IOException {
    Caveats asked;
    StoragePath target = request.target() == null ? StoragePath.root() : request.target();
    List<String> caveats = new ArrayList<>();
    try {
      asked = Caveats.read(request.caveats(), paths);
      for (String caveat : request.caveats()) {
        if (!caveat.startsWith("path:")) {
          caveats.add(caveat);
          continue;
        }
        StoragePath path = Caveats.path(caveat, caveat.substring("path:".length()).strip());
        if (!path.startsWith(target) && !target.startsWith(path)) {
          return new Minted.Bad("the paths contradict each other: nothing is below all of them");
        }
        target = path.startsWith(target) ? path : target;
      }
    } catch (Caveats.UnknownException e) {
      return new Minted.Bad(String.valueOf(e.getMessage()));
    }
    Optional<Areas.Place> place = areas.locate(target);
    if (place.isEmpty()) {
      return new Minted.Bad(
          "a macaroon is for a path in a storage area: ask at one, or add a caveat path:/…");
    }
    Admission admission = any(asked.limits(), caller, place.get());
    if (admission instanceof Admission.Refused(boolean authenticate, String reason)) {
      return new Minted.Denied(authenticate, reason);
    }
    Instant before = asked.before();
    if (before != null && !before.truncatedTo(ChronoUnit.SECONDS).isAfter(clock.instant())) {
      return new Minted.Bad(
          "the macaroon would have ended already, at " + before + ": name a time to come");
    }
    Instant end =
        end(
            request.validity(),
            before != null && before.isBefore(credentialEnds) ? before : credentialEnds);
    caveats.addFirst("path:" + target.href());
    caveats.add("before:" + end);
    String id = tokens.newId();
    String area = place.get().area().area().name();
    String token = tokens.macaroon(id, giver, area, caveats);
    log.info(
        "macaroon {} of {} in area {} for {} until {}",
        id,
        ForeignText.shown(String.join(" ", request.caveats())),
        area,
        caller.label(),
        end);
    return new Minted.Given(token, target, String.join(" ", caveats), seconds(end));
  }

  /** Whether anything at all of what is asked for may be done: the answer to the first thing. */
  private static Admission any(List<Limit> limits, Caller caller, Areas.Place place) {
    GrantedCaller bearer = new GrantedCaller(caller, limits, Instant.MAX);
    String area = place.area().area().name();
    Admission first = null;
    for (Right right : Right.values()) {
      if (right != Right.STAT && bearer.within(area, place.path(), right)) {
        Admission admission = place.area().rule().decide(asked(caller), place.path(), right);
        if (admission instanceof Admission.Allowed) {
          return admission;
        }
        first = first == null ? admission : first;
      }
    }
    return first == null
        ? place.area().rule().decide(asked(caller), place.path(), Right.STAT)
        : first;
  }

  private Minted mint(
      TokenRequest.Jwt request, Caller caller, String giver, String issuer, Instant credentialEnds)
      throws IOException {
    List<StorageScope> granted = new ArrayList<>();
    Admission.Refused refusal = null;
    for (StorageScope scope : request.scopes().storage()) {
      if (admission(scope, caller) instanceof Admission.Refused refused) {
        refusal = refusal == null ? refused : refusal;
      } else {
        granted.add(scope);
      }
    }
    if (granted.isEmpty() && refusal != null) {
      return new Minted.Denied(refusal.authenticate(), refusal.reason());
    }
    Instant end = end(request.validity(), credentialEnds);
    String id = tokens.newId();
    String scope = String.join(" ", granted.stream().map(StorageScope::toString).toList());
    String token = tokens.jwt(id, issuer, GivenTokens.subject(caller), giver, scope, end);
    log.info("token {} of {} for {} until {}", id, ForeignText.shown(scope), caller.label(), end);
    return new Minted.Given(token, StoragePath.root(), scope, seconds(end));
  }

  /** Where the scope leads into several areas, it does where the caller may in one of them. */
  private Admission admission(StorageScope scope, Caller caller) {
    Right right =
        switch (scope.capability()) {
          case READ -> Right.READ;
          case CREATE -> Right.CREATE;
          case MODIFY -> Right.MODIFY;
          case STAGE -> Right.STAGE;
          case POLL -> Right.POLL;
        };
    Admission refusal =
        new Admission.Refused(
            false, ForeignText.shown(scope.path().href()) + " is in no storage area");
    for (Reach reach : paths.below(scope.path(), Set.of(right))) {
      for (ServedArea served : areas.all()) {
        if (served.area().name().equals(reach.area())) {
          Admission admission = served.rule().decide(asked(caller), reach.path(), right);
          if (admission instanceof Admission.Allowed) {
            return admission;
          }
          refusal = admission;
        }
      }
    }
    return refusal;
  }

  /** A token is given to be used from elsewhere and by other methods: these are judged then. */
  private static Asked asked(Caller caller) {
    return new Asked(caller, null, "POST");
  }
}
