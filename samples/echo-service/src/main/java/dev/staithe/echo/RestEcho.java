package dev.staithe.echo;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.UnaryOperator;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code echoString} by REST: {@code {"say": "…"}} is answered with {@code {"hear": "…"}}. */
@RestController
final class RestEcho {
  /** What is asked. */
  record Say(String say) {}

  /** What is answered. */
  record Hear(String hear) {}

  private final Echo echo;
  private final UnaryOperator<String> next;

  RestEcho(Echo echo, UnaryOperator<String> next) {
    this.echo = echo;
    this.next = next;
  }

  /** The method that a developer writes. */
  @PostMapping(
      path = "/echoString",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  Hear echoString(@RequestBody Say asked, HttpServletRequest request) {
    return new Hear(echo.echo(asked.say(), request.getRemoteUser(), next));
  }
}
