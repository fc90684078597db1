package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a virtual organization says of a person, in an attribute certificate (RFC 5755) that a proxy
 * carries.
 *
 * @param vo the organization's name
 * @param fqans groups and roles, such as {@code /vo/group/Role=production}, the main one first
 * @param holder of whom it is said, or, by servers that name the authority and the serial number,
 *     that authority
 * @param issuer who says so
 * @param doubt why it is not believed here, as one line; null where it is
 */
public record VomsAttributes(
    String vo,
    List<String> fqans,
    GridSubject holder,
    GridSubject issuer,
    Instant notBefore,
    Instant notAfter,
    @Nullable String doubt) {
  static final String NOT_LOOKED_AT = "not verified";

  /** Copies the list. */
  public VomsAttributes {
    fqans = List.copyOf(fqans);
  }

  /** Whether the one who says so is trusted for that organization, and did say so. */
  public boolean verified() {
    return doubt == null;
  }

  /**
   * Those of the groups and roles that are believed. A server speaks for its own organization: what
   * it says of another one's groups counts for nothing.
   */
  public List<String> believed() {
    return verified()
        ? fqans.stream()
            .filter(fqan -> fqan.equals("/" + vo) || fqan.startsWith("/" + vo + "/"))
            .toList()
        : List.of();
  }

  /**
   * Reads those in force without judging them: those of the first proxy, from the begin of the
   * chain, that carries any. What cannot be read is left out.
   *
   * @param chain each certificate before the one that issued it
   */
  public static List<VomsAttributes> read(List<X509Certificate> chain) {
    List<VomsAttributes> all = new ArrayList<>();
    for (VomsCertificate certificate : VomsCertificate.inForce(chain).certificates()) {
      all.add(certificate.attributes(NOT_LOOKED_AT));
    }
    return List.copyOf(all);
  }
}
