package dev.staithe.service.door;

import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Takes envelopes out of requests, and refuses what is none in the caller's own form. */
public final class SoapDoor {
  private SoapDoor() {}

  /**
   * The version a caller speaks, by the type of what it sends.
   *
   * @return empty where it does not speak SOAP
   */
  public static Optional<SoapVersion> version(HttpServletRequest request) {
    return Soap.ofContentType(request.getContentType());
  }

  /**
   * Reads the envelope of a POST.
   *
   * @return empty where it was refused; then the answer is written
   */
  public static Optional<SoapMessage.Request> read(
      HttpServletRequest request, HttpServletResponse response, XmlLimits limits)
      throws IOException {
    Optional<SoapVersion> told = version(request);
    if (told.isEmpty()) {
      Body.discard(request);
      // A form's type, or none, is what any page can make a browser send.
      Answers.line(
          response, 415, "SOAP is expected: Content-Type text/xml or application/soap+xml");
      return Optional.empty();
    }
    return switch (Soap.read(request.getInputStream(), limits, Set.of())) {
      case SoapMessage.Request read -> Optional.of(read);
      case SoapMessage.Refused(SoapVersion version, SoapFault fault, _) -> {
        Body.discard(request);
        Answers.fault(response, fault.status(version), version, fault);
        yield Optional.empty();
      }
    };
  }
}
