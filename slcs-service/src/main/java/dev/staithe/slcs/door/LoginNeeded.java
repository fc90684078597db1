package dev.staithe.slcs.door;

import dev.staithe.service.door.Answers;
import dev.staithe.service.door.SoapDoor;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapVersion;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/**
 * Answers who has not logged in: SOAP callers with a fault, all others as {@code saml} does it,
 * which sends browsers to the login and clients of the enhanced client profile a request for their
 * identity provider. Thread-safe.
 */
public final class LoginNeeded {
  private final AuthenticationEntryPoint login;
  private final String where;

  /**
   * @param login for all but plain SOAP
   * @param url of this service
   */
  public LoginNeeded(AuthenticationEntryPoint login, URI url) {
    this.login = login;
    this.where = url + "/login";
  }

  /** Writes the answer. */
  public void answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    Optional<SoapVersion> soap = SoapDoor.version(request);
    if (soap.isEmpty() || request.getHeader("PAOS") != null) {
      login.commence(
          request, response, new InsufficientAuthenticationException("a login is needed"));
      return;
    }
    response.setHeader("WWW-Authenticate", "SAML login=\"" + where + "\"");
    Answers.fault(
        response,
        401,
        soap.get(),
        SoapFault.sender("a login is needed: begin at " + where + " and send the cookie"));
  }
}
