package dev.staithe.storage.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.service.door.BearerToken;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Capability;
import dev.staithe.storage.authz.ForeignText;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.GrantedCaller.Limit;
import dev.staithe.storage.authz.GrantedCaller.Reach;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.StorageScope;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.files.StoragePath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Makes tokens, and takes them back as a credential. A token says to whom it was given; its bearer
 * may what that one may by the rules of the moment, as far as all that the token is limited to
 * reaches (ADR 31). Nothing that it tells has any part of a token. Safe for many threads.
 */
public final class GivenTokens {
  /** Of macaroons, and by which ours are known in a format that has no other mark. */
  static final String LOCATION = "staithe";

  /** The claim of a JWT that says to whom it was given. */
  private static final String GIVER = "staithe.giver";

  /** Other uses of the same key would begin otherwise. */
  private static final String KIND = "staithe-1";

  /** The first part of a JWT of ours, whose key's name has the length that all have. */
  private static final String ANY_KEY = "0123456789abcdef";

  private static final Base64URL ANY_HEADER = header(ANY_KEY).toBase64URL();
  private static final Pattern HEADER =
      Pattern.compile(
          Pattern.quote(ANY_HEADER.decodeToString())
              .replace(ANY_KEY, "\\E([0-9a-f]{" + ANY_KEY.length() + "})\\Q"));

  private static final int LONGEST = 16 * 1024;
  private static final int IDENTIFIER_FIELDS = 5;

  private final TokenKeys keys;
  private final AreaPaths areas;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final LongAdder made = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** Makes and takes tokens for these areas. */
  public GivenTokens(TokenSettings settings, Areas areas, Clock clock) {
    this.keys = new TokenKeys(settings, clock);
    this.areas = new AreaPaths(areas);
    this.clock = clock;
  }

  /** How many were made since the start. */
  public long made() {
    return made.sum();
  }

  /** How many that were ours by their looks were refused since the start. */
  public long refused() {
    return refused.sum();
  }

  /** Takes tokens of ours; everything else goes to {@code other}. */
  public DavHandler.Door before(DavHandler.Door other) {
    return (request, path) -> {
      Identification ours =
          identify(
              DavHandler.Door.credentials(
                  request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION),
                  request.getHttpURI().getQuery()),
              client(request));
      return ours == null ? other.identify(request, path) : ours;
    };
  }

  /**
   * Takes tokens of ours where no client is seen, so that those which depend on its address are
   * refused.
   */
  public Function<List<String>, Identification> before(
      Function<List<String>, Identification> other) {
    return credentials -> {
      Identification ours = identify(credentials, null);
      return ours == null ? other.apply(credentials) : ours;
    };
  }

  private static @Nullable InetAddress client(Request request) {
    return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress it
        ? it.getAddress()
        : null;
  }

  /** Whether a token is short enough to be shown in a header field. */
  static boolean takes(String token) {
    return "Bearer ".length() + token.length() <= LONGEST;
  }

  /** Who asks, or null where there is no token of ours. */
  @Nullable Identification identify(List<String> credentials, @Nullable InetAddress client) {
    if (credentials.isEmpty()
        || credentials.getFirst().length() > LONGEST
        || credentials.size() > 1 && credentials.stream().distinct().count() > 1) {
      return null; // Those with a door of their own say what is wrong with them.
    }
    String token = BearerToken.of(credentials.subList(0, 1));
    if (token == null || token.isEmpty()) {
      return null;
    }
    int dot = token.indexOf('.');
    Identification outcome =
        dot < 0 ? macaroon(token, client) : jwt(token, token.substring(0, dot));
    if (outcome instanceof Identification.Refused) {
      refused.increment();
    }
    return outcome;
  }

  // ---- macaroons

  /**
   * A macaroon.
   *
   * @param giver as {@link GiverText} has it
   * @param id random, for logs
   * @param area the name of the only one it is good for
   * @throws IOException with one line where there is no key
   */
  String macaroon(String id, String giver, String area, List<String> caveats) throws IOException {
    TokenKey.Root key = keys.root();
    String identifier = String.join(" ", KIND, key.id(), id, GiverText.escaped(area), giver);
    made.increment();
    return Macaroon.make(key.key(), LOCATION, identifier, caveats).compact();
  }

  private @Nullable Identification macaroon(String token, @Nullable InetAddress client) {
    return switch (MacaroonReader.read(token, LOCATION)) {
      case MacaroonReader.Read.Other other -> null;
      case MacaroonReader.Read.Malformed(String reason) -> new Identification.Refused(reason);
      case MacaroonReader.Read.Whole(Macaroon macaroon) -> judged(macaroon, client);
    };
  }

  private Identification judged(Macaroon macaroon, @Nullable InetAddress client) {
    String[] fields = macaroon.identifier().split(" ", IDENTIFIER_FIELDS);
    if (fields.length != IDENTIFIER_FIELDS || !fields[0].equals(KIND)) {
      return new Identification.Refused("the macaroon is not one of this server");
    }
    if (!(keys.find(fields[1]).orElse(null) instanceof TokenKey.Root root)) {
      return new Identification.Refused(
          "the macaroon's key is not, or no longer, one of this server: ask for another macaroon");
    }
    if (!macaroon.isBy(root.key())) {
      return new Identification.Refused("the macaroon's signature is wrong");
    }
    Caveats caveats;
    try {
      caveats = Caveats.read(macaroon.caveats(), areas);
    } catch (Caveats.UnknownException e) {
      return new Identification.Refused(String.valueOf(e.getMessage()));
    }
    Instant before = caveats.before();
    if (before == null || !clock.instant().isBefore(before)) {
      return new Identification.Refused("the macaroon expired at " + before);
    }
    if (!caveats.permit(client)) {
      return new Identification.Refused(
          client == null
              ? "the macaroon is for some addresses (ip), and in a copy within this server there is"
                  + " none"
              : "the macaroon is for other addresses (ip) than " + client.getHostAddress());
    }
    List<Limit> limits = new ArrayList<>(caveats.limits());
    limits.add(
        new Limit(
            List.of(
                new Reach(
                    GiverText.plain(fields[3]), StoragePath.root(), EnumSet.allOf(Right.class)))));
    return granted(fields[4], limits, before);
  }

  private static Identification granted(String giver, List<Limit> limits, Instant expiresAt) {
    Optional<Caller> caller = GiverText.read(giver, expiresAt);
    return caller.isPresent()
        ? new Identification.Identified(new GrantedCaller(caller.get(), limits, expiresAt))
        : new Identification.Refused("the token was made by another version: ask for another one");
  }

  // ---- JWTs

  /**
   * A JWT of WLCG's profile, whose paths begin at the server's root.
   *
   * @param id random, for logs
   * @param issuer whose {@code /.well-known/oauth-authorization-server} leads to its key
   * @param subject of the one it is given to
   * @throws IOException with one line where there is no key
   */
  String jwt(
      String id, String issuer, String subject, String giver, String scope, Instant expiresAt)
      throws IOException {
    TokenKey.Signing key = keys.signingNow();
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    SignedJWT jwt =
        new SignedJWT(
            header(key.id()),
            new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(subject)
                .audience(issuer)
                .issueTime(Date.from(now))
                .notBeforeTime(Date.from(now))
                .expirationTime(Date.from(expiresAt))
                .jwtID(id)
                .claim("wlcg.ver", "1.0")
                .claim("scope", scope)
                .claim(GIVER, giver)
                .build());
    try {
      jwt.sign(new ECDSASigner(key.jwk()));
    } catch (JOSEException e) {
      throw new IllegalStateException("a key of P-256 does not sign", e);
    }
    made.increment();
    return jwt.serialize();
  }

  private static JWSHeader header(String key) {
    return new JWSHeader.Builder(JWSAlgorithm.ES256).type(JOSEObjectType.JWT).keyID(key).build();
  }

  /** By the first part one of ours is known, without a look into any other. */
  private @Nullable Identification jwt(String token, String first) {
    if (first.length() != ANY_HEADER.toString().length()) {
      return null;
    }
    Matcher header = HEADER.matcher(new Base64URL(first).decodeToString());
    return header.matches()
            && keys.find(header.group(1)).orElse(null) instanceof TokenKey.Signing key
        ? judged(token, key)
        : null;
  }

  private Identification judged(String token, TokenKey.Signing key) {
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      if (!jwt.verify(new ECDSAVerifier(key.jwk().toPublicJWK()))) {
        return new Identification.Refused("the token's signature is wrong");
      }
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      Instant expiresAt = claims.getExpirationTime().toInstant();
      if (!clock.instant().isBefore(expiresAt)) {
        return new Identification.Refused("the token expired at " + expiresAt);
      }
      List<Reach> reaches = new ArrayList<>();
      for (StorageScope scope : Scopes.of(claims.getStringClaim("scope")).storage()) {
        reaches.addAll(areas.below(scope.path(), rights(scope.capability())));
      }
      return granted(claims.getStringClaim(GIVER), List.of(new Limit(reaches)), expiresAt);
    } catch (ParseException | JOSEException | IllegalArgumentException e) {
      return new Identification.Refused("the token's signature is wrong");
    }
  }

  private static Set<Right> rights(Capability capability) {
    return switch (capability) {
      case READ -> EnumSet.of(Right.STAT, Right.LIST, Right.READ, Right.POLL);
      case CREATE ->
          EnumSet.of(
              Right.STAT,
              Right.LIST,
              Right.CREATE,
              Right.MAKE_COLLECTION,
              Right.RENAME,
              Right.POLL);
      case MODIFY -> EnumSet.complementOf(EnumSet.of(Right.READ, Right.STAGE));
      case STAGE -> EnumSet.of(Right.STAT, Right.STAGE, Right.POLL);
      case POLL -> EnumSet.of(Right.POLL);
    };
  }

  /** The public keys, as RFC 7517 has them, for those who want to look at a JWT themselves. */
  String keySet() {
    return new com.nimbusds.jose.jwk.JWKSet(
            keys.signing().stream()
                .map(key -> (com.nimbusds.jose.jwk.JWK) key.jwk().toPublicJWK())
                .toList())
        .toString(true);
  }

  /** A new id of a token: 24 hexadecimal digits. */
  String newId() {
    byte[] nonce = new byte[12];
    random.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  /** A subject as JWTs of WLCG have it: ASCII, 255 characters at most. */
  static String subject(Caller caller) {
    String shown = ForeignText.shown(caller.label());
    return shown.length() > 255 ? shown.substring(0, 255) : shown;
  }
}
