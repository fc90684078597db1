package dev.staithe.authn.browser;

import dev.staithe.authn.grants.ProtocolRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.StringJoiner;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/**
 * Sends a browser to the login page, with the request to go on with in the address. So nothing has
 * to be kept for it, each tab has its own, and the page takes only addresses of this service.
 */
public final class LoginRedirect implements AuthenticationEntryPoint {
  /** The login page. */
  public static final String PAGE = "/login";

  private static final String ACCOUNT = "/account";

  /** Its parameter. */
  public static final String CONTINUE = "continue";

  /** Parameter of a request with a hint at a user that goes on after a login, whosever it was. */
  public static final String LOGGED_IN = "logged_in";

  /** Characters of a request that it goes on with. */
  public static final int LONGEST = 16_384;

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause)
      throws IOException {
    send(request, response);
  }

  public static void send(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String next = again(request);
    if (next.length() > LONGEST) {
      // Such as a long form; it would fit into no head, of this answer or of the next request.
      response.sendError(HttpServletResponse.SC_BAD_REQUEST);
      return;
    }
    response.setStatus(HttpServletResponse.SC_FOUND);
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader(HttpHeaders.LOCATION, PAGE + "?" + CONTINUE + "=" + encode(next));
  }

  /** The same request as a GET, without the wish for a new login that is about to come true. */
  private static String again(HttpServletRequest request) {
    String path = request.getServletPath();
    if (path.equals(ACCOUNT) || path.startsWith(ACCOUNT + "/")) {
      // Its forms hold passwords, which belong into no address.
      return ACCOUNT;
    }
    StringJoiner query = new StringJoiner("&");
    request
        .getParameterMap()
        .forEach(
            (name, values) ->
                Arrays.stream(values)
                    .map(value -> name.equals("prompt") ? withoutLogin(value) : value)
                    .filter(value -> !(name.equals("prompt") && value.isEmpty()))
                    .forEach(value -> query.add(encode(name) + "=" + encode(value))));
    if (request.getParameter("id_token_hint") != null && request.getParameter(LOGGED_IN) == null) {
      query.add(LOGGED_IN + "=yes");
    }
    return query.length() == 0 ? request.getServletPath() : request.getServletPath() + "?" + query;
  }

  private static String withoutLogin(String prompt) {
    Set<String> words = ProtocolRequest.words(prompt);
    words.remove("login");
    return String.join(" ", words);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
