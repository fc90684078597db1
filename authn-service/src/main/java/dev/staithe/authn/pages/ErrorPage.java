package dev.staithe.authn.pages;

import dev.staithe.authn.grants.Unavailable;
import dev.staithe.service.log.AuditLog;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * What is shown when something went wrong: an id to find it in the log by, and nothing of its
 * inside.
 */
@Controller
final class ErrorPage implements ErrorController {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorPage.class);
  private static final int RETRY_SECONDS = 2;

  @RequestMapping("/error")
  String show(HttpServletRequest request, HttpServletResponse response, Model model) {
    int status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? code
            : HttpServletResponse.SC_NOT_FOUND;
    String named = MDC.get(AuditLog.REQUEST);
    String id =
        named == null ? "%012x".formatted(ThreadLocalRandom.current().nextLong(1L << 48)) : named;
    if (storeIsAway(request.getAttribute(RequestDispatcher.ERROR_EXCEPTION))) {
      status = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
      response.setIntHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    Object cause = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    String shown = String.valueOf(path).replaceAll("[^!-~]", "?");
    if (status >= 500 && cause instanceof Throwable thrown) {
      LOG.warn("{} for {}", status, shown, thrown);
    } else {
      LOG.info("{} for {}", status, shown);
    }
    response.setStatus(status);
    PagePolicy.set(response, java.util.List.of());
    model.addAttribute("id", id);
    model.addAttribute("title", title(status));
    model.addAttribute("text", text(status));
    return "pages/error";
  }

  private static boolean storeIsAway(@Nullable Object thrown) {
    Object each = thrown;
    for (int depth = 0; depth < 10 && each instanceof Throwable cause; depth++) {
      if (cause instanceof Unavailable || cause instanceof DataAccessException) {
        return true;
      }
      each = cause.getCause();
    }
    return false;
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "This request cannot be answered";
      case 403 -> "This is not allowed";
      case 404 -> "There is nothing here";
      case 503 -> "This does not work right now";
      default -> status < 500 ? "This request is refused" : "Something went wrong";
    };
  }

  private static String text(int status) {
    return switch (status) {
      case 400 -> "The program that sent you here has asked for something that it may not.";
      case 403 -> "The page may be too old, or another site sent you here. Go back and try again.";
      case 404 -> "The address may be wrong.";
      case 503 -> "Please try again in a moment.";
      default -> "If it happens again, tell your site's support the number below.";
    };
  }
}
