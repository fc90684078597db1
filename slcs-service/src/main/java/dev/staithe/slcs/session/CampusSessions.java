package dev.staithe.slcs.session;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The sessions of people who logged in at their identity provider. They are in the database, so
 * that every node knows them; a node asks for one again after a short time only, which bounds how
 * long it may go on with a session that was ended at another. Thread-safe.
 */
public final class CampusSessions {
  /** No more than that are kept in memory. */
  private static final int MOST = 50_000;

  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private final SessionRows rows;
  private final SessionSettings settings;
  private final boolean secure;
  private final String ownOrigin;
  private final Clock clock;
  private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();

  /** How many were ended here. */
  private final AtomicLong ended = new AtomicLong();

  /** What memory holds: when the database was asked, by {@link System#nanoTime()}. */
  private record Known(CampusSession session, Instant used, long askedNanos) {}

  /**
   * @param rows where they are kept
   */
  public CampusSessions(SessionRows rows, SessionSettings settings, Clock clock) {
    this.rows = rows;
    this.settings = settings;
    this.secure = "https".equals(settings.url().getScheme());
    this.clock = clock;
    this.ownOrigin = origin(settings.url());
  }

  /** The name of the cookie: bound to this host where it is over https (RFC 6265bis 4.1.3.2). */
  public String cookieName() {
    return secure ? "__Host-staithe-slcs" : "staithe-slcs";
  }

  /**
   * The session that the request's cookie names, where it is good: begun, not ended here or, for
   * longer than the recheck takes, at another node, in use, and shown with the TLS client key that
   * it is bound to. Asks the database now and then.
   */
  public Optional<CampusSession> of(HttpServletRequest request) {
    return foreign(request) ? Optional.empty() : shown(request);
  }

  private Optional<CampusSession> shown(HttpServletRequest request) {
    return cookie(request)
        .flatMap(cookie -> byId(Digests.of(cookie)))
        .filter(session -> bindingHolds(session, request));
  }

  /**
   * Whether another site's page sends it, to change something: Lax cookies come along where the
   * other site is one of the same domain. Browsers name the site of such requests (Fetch standard
   * section 3.2).
   */
  private boolean foreign(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    return origin != null
        && !request.getMethod().equals("GET")
        && !request.getMethod().equals("HEAD")
        && !origin.equals(ownOrigin);
  }

  private static String origin(java.net.URI url) {
    // As browsers write it (RFC 6454 section 4).
    String origin = url.getScheme() + "://" + url.getHost().toLowerCase(Locale.ROOT);
    int usual = url.getScheme().equals("https") ? 443 : 80;
    return url.getPort() < 0 || url.getPort() == usual ? origin : origin + ":" + url.getPort();
  }

  /** The session that the filter of this package has seen, without asking again. */
  public static Optional<CampusSession> seen(HttpServletRequest request) {
    return request.getAttribute(CampusSession.ATTRIBUTE) instanceof CampusSession session
        ? Optional.of(session)
        : Optional.empty();
  }

  private Optional<CampusSession> byId(String id) {
    Instant now = clock.instant();
    Known memory = known.get(id);
    if (memory == null || System.nanoTime() - memory.askedNanos() >= settings.recheck().toNanos()) {
      long asked = System.nanoTime();
      long before = ended.get();
      memory = rows.find(id).map(row -> new Known(row.session(), row.used(), asked)).orElse(null);
      if (memory == null) {
        known.remove(id);
        return Optional.empty();
      }
      remember(id, memory, before);
    }
    if (!now.isBefore(memory.session().until())
        || !now.isBefore(memory.used().plus(settings.idle()))) {
      // Left to the sweep: by the clock of another node it may go on.
      known.remove(id);
      return Optional.empty();
    }
    // A tenth of the idle time is near enough, and spares a write for every request.
    if (now.isAfter(memory.used().plus(settings.idle().dividedBy(10)))) {
      rows.use(id, now);
      var used = new Known(memory.session(), now, memory.askedNanos());
      known.computeIfPresent(id, (_, _) -> used);
    }
    return Optional.of(memory.session());
  }

  /** Not where one ended since the database was asked: it may be this one. */
  private void remember(String id, Known session, long endedBefore) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.compute(id, (_, _) -> ended.get() == endedBefore ? session : null);
  }

  /** Begins one, and gives the browser its cookie. */
  public CampusSession begin(
      CampusIdentity identity,
      Duration atMost,
      SessionRows.Link link,
      HttpServletRequest request,
      HttpServletResponse response) {
    String cookie = Digests.random();
    Instant now = clock.instant();
    Duration longest = atMost.compareTo(settings.longest()) < 0 ? atMost : settings.longest();
    var session =
        new CampusSession(
            Digests.of(cookie),
            identity,
            now,
            now.plus(longest),
            settings.bound() ? shownKey(request) : null);
    // A login instead of an earlier one ends that. A page of the provider brings it.
    shown(request).ifPresent(before -> end(before.id()));
    rows.insert(session, link, now);
    remember(session.id(), new Known(session, now, System.nanoTime()), ended.get());
    request.setAttribute(CampusSession.ATTRIBUTE, session);
    response.addHeader(HttpHeaders.SET_COOKIE, setCookie(cookie).build().toString());
    return session;
  }

  /** Ends a session at this node at once, at all others after the recheck. */
  public void end(CampusSession session) {
    end(session.id());
  }

  void end(String id) {
    rows.delete(id);
    // Whoever has read it before remembers it before this, or not at all.
    ended.incrementAndGet();
    known.remove(id);
  }

  /** Ends a session and takes the cookie away. */
  public void end(CampusSession session, HttpServletResponse response) {
    end(session.id());
    clearCookie(response);
  }

  /** Takes the cookie away. */
  public void clearCookie(HttpServletResponse response) {
    response.addHeader(
        HttpHeaders.SET_COOKIE, setCookie("").maxAge(Duration.ZERO).build().toString());
  }

  /** Forgets those that are over. */
  public int sweep() {
    Instant now = clock.instant();
    known
        .values()
        .removeIf(
            each ->
                System.nanoTime() - each.askedNanos() > settings.recheck().toNanos()
                    || !now.isBefore(each.session().until()));
    return rows.sweep(now, settings.idle());
  }

  private ResponseCookie.ResponseCookieBuilder setCookie(String value) {
    return ResponseCookie.from(cookieName(), value)
        .httpOnly(true)
        .secure(secure)
        .sameSite("Lax")
        .path("/");
  }

  private Optional<String> cookie(HttpServletRequest request) {
    List<String> found = new ArrayList<>();
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(cookieName())) {
          found.add(cookie.getValue());
        }
      }
    }
    // Two of them: somebody else set one.
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  private static boolean bindingHolds(CampusSession session, HttpServletRequest request) {
    String bound = session.boundKey();
    if (bound == null) {
      return true;
    }
    String shown = shownKey(request);
    return shown != null
        && MessageDigest.isEqual(
            bound.getBytes(java.nio.charset.StandardCharsets.US_ASCII),
            shown.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  private static @Nullable String shownKey(HttpServletRequest request) {
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? Digests.of(chain[0].getPublicKey().getEncoded())
        : null;
  }
}
