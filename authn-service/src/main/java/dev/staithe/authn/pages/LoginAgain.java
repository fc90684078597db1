package dev.staithe.authn.pages;

import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.login.Attempt;
import dev.staithe.authn.login.LoginResult;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.Secret;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;

/** Whether whoever uses a session is its user: by a login within it, that counts as one. */
final class LoginAgain {
  private static final int LONGEST = 1024;

  private final Logins logins;

  LoginAgain(Logins logins) {
    this.logins = logins;
  }

  /**
   * What is wrong, in a sentence, with the status set; empty where it is the user.
   *
   * @param strong whether a code is needed too
   */
  Optional<String> objection(
      String user,
      String password,
      String code,
      boolean strong,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (password.length() > LONGEST || code.length() > LONGEST) {
      return told(response, HttpServletResponse.SC_FORBIDDEN, "That password is not right.");
    }
    LoginResult result;
    try (Secret secret = Secret.of(password)) {
      result =
          logins.login(
              new Attempt(
                  user,
                  secret,
                  code.isBlank() ? null : code.strip(),
                  LoginPage.address(request),
                  strong));
    }
    return switch (result) {
      case LoginResult.Accepted accepted -> Optional.empty();
      case LoginResult.SecondFactorNeeded needed ->
          told(response, HttpServletResponse.SC_FORBIDDEN, "A one-time code is needed too.");
      case LoginResult.Refused refused ->
          told(
              response,
              HttpServletResponse.SC_FORBIDDEN,
              strong ? "That password and code are not right." : "That password is not right.");
      case LoginResult.Locked(Duration after) ->
          later(
              response,
              429,
              after,
              "Too many attempts. Please wait " + DisplayText.of(after) + ".");
      case LoginResult.Busy(Duration after) ->
          later(
              response,
              HttpServletResponse.SC_SERVICE_UNAVAILABLE,
              after,
              "Too many people are logging in right now. Please try again in a moment.");
      case LoginResult.Unavailable(String reason) -> throw new Unavailable(reason);
    };
  }

  private static Optional<String> later(
      HttpServletResponse response, int status, Duration after, String text) {
    response.setHeader(
        HttpHeaders.RETRY_AFTER, String.valueOf(Math.max(1, after.plusMillis(999).toSeconds())));
    return told(response, status, text);
  }

  private static Optional<String> told(HttpServletResponse response, int status, String text) {
    response.setStatus(status);
    return Optional.of(text);
  }
}
