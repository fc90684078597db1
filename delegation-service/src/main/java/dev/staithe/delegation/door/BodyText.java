package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What is sent as text, up to a limit: Spring's own {@code @RequestBody} has none. */
final class BodyText {
  /**
   * Bytes of a chain: far more than what is taken, so that one that is too long is refused by who
   * notes what was refused. Only callers whose certificate is believed get as far.
   */
  private static final int LARGEST_CHAIN = 2 << 20;

  private BodyText() {}

  /** A chain in PEM. */
  static String chain(HttpServletRequest request) throws IOException, CallRefused {
    return of(request, LARGEST_CHAIN);
  }

  /**
   * The body; a certificate or a request in PEM is ASCII, and what is not is harmless.
   *
   * @param most bytes
   */
  static String of(HttpServletRequest request, int most) throws IOException, CallRefused {
    byte[] bytes =
        Body.read(request, most)
            .orElseThrow(
                () -> CallRefused.unheard(Kind.TOO_LARGE, "a body has at most " + most + " bytes"));
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
