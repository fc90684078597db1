package dev.staithe.authn.admin;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpStatus;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** Answers of the administration, all JSON; a refusal has one line that says why. */
final class Answers {
  /** A refusal: the same fields as the rest of the REST interface. */
  record Refusal(int code, String reason, String message) {}

  private Answers() {}

  static ResponseEntity<Object> ok(Object body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }

  static ResponseEntity<Object> done() {
    return ResponseEntity.noContent().build();
  }

  static ResponseEntity<Object> refused(int status, String line) {
    return ResponseEntity.status(status)
        .cacheControl(CacheControl.noStore())
        .body(of(status, line));
  }

  static void write(HttpServletResponse response, int status, String line) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    if (status == HttpServletResponse.SC_UNAUTHORIZED) {
      response.setHeader("WWW-Authenticate", "Bearer");
    }
    response
        .getOutputStream()
        .write(
            JsonMapper.shared()
                .writeValueAsString(of(status, line))
                .getBytes(StandardCharsets.UTF_8));
  }

  private static Refusal of(int status, String line) {
    return new Refusal(status, HttpStatus.getMessage(status), line);
  }
}
