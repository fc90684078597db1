package dev.staithe.slcs.protect;

import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.SoapDoor;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapVersion;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/** Says no in the form that a caller reads: a fault to SOAP, a line to all others. Thread-safe. */
final class Refusals {
  private final LoginNeeded login;

  Refusals(LoginNeeded login) {
    this.login = login;
  }

  /** Nobody has logged in where an identity provider's word is needed. */
  void login(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    login.answer(request, response);
  }

  /** Nothing was shown where a session of authn-service is needed. */
  void bearerNeeded(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("WWW-Authenticate", "Bearer");
    refuse(request, response, 401, "a session of authn-service is needed: Authorization: Bearer");
  }

  /** A bearer token that was judged and not found good. */
  void failed(HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
      throws IOException {
    if (why instanceof AuthenticationServiceException) {
      later(request, response);
    } else {
      badBearer(request, response);
    }
  }

  /** A bearer token that is good for nothing (RFC 6750 §3.1). */
  void badBearer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    refuse(request, response, 401, "the session has ended or never was");
  }

  /** Not by this person, or not so. */
  void denied(HttpServletRequest request, HttpServletResponse response, String line)
      throws IOException {
    refuse(request, response, 403, line);
  }

  /** A body beyond the limit. */
  void tooLarge(HttpServletRequest request, HttpServletResponse response, int most)
      throws IOException {
    Body.discard(request);
    refuse(request, response, 413, "a message has at most " + most + " bytes here");
  }

  /** Who judges does not answer. */
  void later(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Answers.retryAfter(response, Duration.ofSeconds(1));
    Optional<SoapVersion> soap = SoapDoor.version(request);
    String line = "whether the session goes on cannot be told at present";
    if (soap.isPresent()) {
      Answers.fault(response, 503, soap.get(), SoapFault.receiver(line));
    } else {
      Answers.line(response, 503, line);
    }
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, int status, String line)
      throws IOException {
    Optional<SoapVersion> soap = SoapDoor.version(request);
    if (soap.isPresent()) {
      Answers.fault(response, status, soap.get(), SoapFault.sender(line));
    } else {
      Answers.line(response, status, line);
    }
  }
}
