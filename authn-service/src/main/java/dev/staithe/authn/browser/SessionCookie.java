package dev.staithe.authn.browser;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The cookie that holds a browser's session token: not for scripts, not for other sites' requests
 * but those that lead here (SameSite=Lax), and over https bound to this host by its name (RFC
 * 6265bis section 4.1.3.2).
 */
public final class SessionCookie {
  private static final int LONGEST = 1024;

  private final boolean secure;

  /** For that issuer. */
  public SessionCookie(String issuer) {
    this.secure = issuer.startsWith("https:");
  }

  /** Its name. */
  public String name() {
    return secure ? "__Host-staithe" : "staithe_session";
  }

  /** Its content, where there is one. */
  public Optional<String> read(HttpServletRequest request) {
    return read(request, name()).filter(value -> value.length() <= LONGEST);
  }

  /** Sets it. */
  public void write(HttpServletResponse response, String token) {
    // No maximum age: it goes with the browser, or when the session ends.
    add(response, cookie(name(), token).build());
  }

  /** Takes it away. */
  public void clear(HttpServletResponse response) {
    add(response, cookie(name(), "").maxAge(Duration.ZERO).build());
  }

  /** A cookie with these properties and another name. */
  public ResponseCookie.ResponseCookieBuilder cookie(String name, String value) {
    return ResponseCookie.from(name, value).httpOnly(true).secure(secure).sameSite("Lax").path("/");
  }

  /** Another cookie's name, bound to the host where that is possible. */
  public String named(String name) {
    return secure ? "__Host-" + name : name;
  }

  /** The content of a cookie; the first where there are many. */
  public static Optional<String> read(HttpServletRequest request, String name) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name) && !cookie.getValue().isEmpty()) {
          return Optional.of(cookie.getValue());
        }
      }
    }
    return Optional.empty();
  }

  /** Adds a cookie to a response. */
  public static void add(HttpServletResponse response, ResponseCookie cookie) {
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
  }
}
