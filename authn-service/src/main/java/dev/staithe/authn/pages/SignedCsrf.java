package dev.staithe.authn.pages;

import dev.staithe.authn.browser.SessionCookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.DefaultCsrfToken;

/**
 * Tokens against forged requests: in a cookie and in the form (double submit), signed and bound to
 * the session, so that a cookie that somebody planted is worth nothing. Any node checks what any
 * other issued. Thread-safe.
 */
final class SignedCsrf implements CsrfTokenRepository {
  private static final String HEADER = "X-CSRF-Token";
  private static final String PARAMETER = "_csrf";
  private static final String NAME = "staithe-csrf";
  private static final int RANDOM_BYTES = 16;
  private static final int LONGEST = 200;

  private final SessionCookie cookies;
  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  SignedCsrf(SessionCookie cookies, byte[] key) {
    this.cookies = cookies;
    this.key = new SecretKeySpec(key, "HmacSHA256");
  }

  @Override
  public CsrfToken generateToken(HttpServletRequest request) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return token(text + "." + mac(text, request));
  }

  @Override
  public void saveToken(
      @Nullable CsrfToken token, HttpServletRequest request, HttpServletResponse response) {
    if (token != null) {
      SessionCookie.add(response, cookies.cookie(cookies.named(NAME), token.getToken()).build());
    }
  }

  @Override
  public @Nullable CsrfToken loadToken(HttpServletRequest request) {
    return SessionCookie.read(request, cookies.named(NAME))
        .filter(value -> value.length() <= LONGEST && genuine(value, request))
        .map(SignedCsrf::token)
        .orElse(null);
  }

  private boolean genuine(String value, HttpServletRequest request) {
    int dot = value.indexOf('.');
    return dot > 0
        && MessageDigest.isEqual(
            value.substring(dot + 1).getBytes(StandardCharsets.UTF_8),
            mac(value.substring(0, dot), request).getBytes(StandardCharsets.UTF_8));
  }

  private String mac(String text, HttpServletRequest request) {
    String session = cookies.read(request).orElse("");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      byte[] code = mac.doFinal((text + "." + session).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(code);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java knows no HmacSHA256", e);
    }
  }

  private static CsrfToken token(String value) {
    return new DefaultCsrfToken(HEADER, PARAMETER, value);
  }
}
