package dev.staithe.service.door;

import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapVersion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Writes whole answers: nothing of them is stored on the way. */
public final class Answers {
  private Answers() {}

  /** One line for people. */
  public static void line(HttpServletResponse response, int status, String line)
      throws IOException {
    send(response, status, "text/plain;charset=utf-8", utf8(line + "\n"));
  }

  /** A JSON text. */
  public static void json(HttpServletResponse response, int status, String json)
      throws IOException {
    send(response, status, "application/json", utf8(json));
  }

  /** An envelope around an element. */
  public static void soap(HttpServletResponse response, SoapVersion version, String payload)
      throws IOException {
    send(response, 200, version.contentType(), Soap.answer(version, payload));
  }

  /** An envelope with a fault. */
  public static void fault(
      HttpServletResponse response, int status, SoapVersion version, SoapFault fault)
      throws IOException {
    send(response, status, version.contentType(), Soap.fault(version, fault));
  }

  /**
   * The same with what the description of the service calls the fault.
   *
   * @param detail one element, well-formed and with its namespaces declared; empty for none
   */
  public static void fault(
      HttpServletResponse response, int status, SoapVersion version, SoapFault fault, String detail)
      throws IOException {
    send(response, status, version.contentType(), Soap.fault(version, fault, detail));
  }

  /** Whether a client prefers JSON to text. */
  public static boolean wantsJson(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null && accept.contains("application/json");
  }

  /** Says when another try may be worth it; nothing where the time is zero. */
  public static void retryAfter(HttpServletResponse response, Duration wait) {
    if (wait.isPositive()) {
      response.setHeader(
          "Retry-After", Long.toString(Math.max(1, wait.plusMillis(999).toSeconds())));
    }
  }

  /** Bytes of a type. */
  public static void send(HttpServletResponse response, int status, String type, byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
