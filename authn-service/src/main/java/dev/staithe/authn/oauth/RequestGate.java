package dev.staithe.authn.oauth;

import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.grants.Unavailable;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * In front of all endpoints of the protocol: bounds what is looked at, has {@link ProtocolRequest}
 * at hand for the rest of the request, and answers 503 where a store does not.
 */
final class RequestGate extends OncePerRequestFilter {
  private static final Logger LOG = LoggerFactory.getLogger(RequestGate.class);
  private static final int MOST = 64;
  private static final int LONGEST = 8192;
  private static final int RETRY_SECONDS = 2;
  private static final String AUTHORIZE = "/oauth2/authorize";
  private static final String DEVICE = "/oauth2/device_verification";

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String problem = problem(request);
    if (problem != null) {
      answer(response, HttpServletResponse.SC_BAD_REQUEST, "invalid_request", problem);
      return;
    }
    String[] scopes = request.getParameterValues("scope");
    String grant = request.getParameter("grant_type");
    ProtocolRequest asked =
        new ProtocolRequest(
            scopes == null ? "" : String.join(" ", scopes),
            grant == null ? "" : grant,
            request.getServletPath().equals(DEVICE),
            request.getServletPath().equals(AUTHORIZE),
            request.getServletPath().equals(AUTHORIZE)
                && request.getParameter("response_type") == null);
    try {
      ScopedValue.where(ProtocolRequest.NOW, asked)
          .call(
              () -> {
                chain.doFilter(new WithoutProof(request), response);
                return null;
              });
    } catch (DataAccessException | TransactionException | Unavailable e) {
      // The class says what happened; a driver's message may quote values.
      LOG.warn("{} is answered 503: {}", request.getServletPath(), reason(e));
      if (response.isCommitted()) {
        throw e;
      }
      // What is said before all of it stays: who may read the answer, and the request's name.
      response.resetBuffer();
      response.setIntHeader("Retry-After", RETRY_SECONDS);
      answer(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "temporarily_unavailable",
          "a store does not answer");
    } catch (ServletException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  /**
   * Tokens of clients are bearer tokens, with a DPoP proof or without. The authorization server
   * would judge one, and miss at a refresh the key that it bound no token to.
   */
  private static final class WithoutProof extends HttpServletRequestWrapper {
    WithoutProof(HttpServletRequest request) {
      super(request);
    }

    @Override
    public @Nullable String getHeader(String name) {
      return "DPoP".equalsIgnoreCase(name) ? null : super.getHeader(name);
    }
  }

  private static String reason(RuntimeException e) {
    return e instanceof Unavailable ? String.valueOf(e.getMessage()) : e.getClass().getSimpleName();
  }

  private static @Nullable String problem(HttpServletRequest request) {
    Map<String, String[]> parameters;
    try {
      parameters = request.getParameterMap();
    } catch (RuntimeException e) {
      return "the parameters cannot be read"; // too many, too long, or not UTF-8
    }
    int count = 0;
    for (Map.Entry<String, String[]> parameter : parameters.entrySet()) {
      count += parameter.getValue().length;
      if (parameter.getKey().length() > LONGEST) {
        return "a parameter is too long";
      }
      for (String value : parameter.getValue()) {
        if (value.length() > LONGEST) {
          return "a parameter is too long";
        }
      }
    }
    return count > MOST ? "there are too many parameters" : null;
  }

  private static void answer(
      HttpServletResponse response, int status, String error, String description)
      throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    response
        .getWriter()
        .write("{\"error\":\"" + error + "\",\"error_description\":\"" + description + "\"}");
  }
}
