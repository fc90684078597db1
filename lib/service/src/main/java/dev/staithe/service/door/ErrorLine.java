package dev.staithe.service.door;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * What nobody else answered: one line, with the cause in the log and nothing of it here.
 * Thread-safe.
 */
@Controller
public final class ErrorLine implements ErrorController {
  private static final Logger log = LoggerFactory.getLogger(ErrorLine.class);
  private static final int RETRY_SECONDS = 2;

  private final Predicate<Throwable> away;

  /**
   * @param away whether a cause says that a store does not answer, so that the same may work soon
   */
  public ErrorLine(Predicate<Throwable> away) {
    this.away = away;
  }

  @RequestMapping("/error")
  void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? code
            : HttpServletResponse.SC_NOT_FOUND;
    Object cause = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    for (Object each = cause; each instanceof Throwable thrown; each = thrown.getCause()) {
      if (away.test(thrown)) {
        status = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        response.setIntHeader("Retry-After", RETRY_SECONDS);
      }
    }
    String path =
        String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI))
            .replaceAll("[^!-~]", "?");
    if (status >= 500 && cause instanceof Throwable thrown) {
      log.warn("{} for {}", status, path, thrown);
    }
    HttpStatus known = HttpStatus.resolve(status);
    Answers.line(
        response,
        status,
        "the request cannot be served: "
            + (known == null ? "status " + status : known.getReasonPhrase()));
  }
}
