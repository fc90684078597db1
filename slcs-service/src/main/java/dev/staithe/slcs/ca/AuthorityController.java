package dev.staithe.slcs.ca;

import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.OcspAnswer;
import dev.staithe.pki.ca.OcspResponder;
import dev.staithe.pki.ca.TrustAnchorFiles;
import dev.staithe.service.door.Body;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What everybody may fetch who is to believe a certificate: the authority's own, its list of
 * revoked ones, both with all that goes into a grid's folder of trust anchors, and answers about
 * single certificates. Thread-safe.
 */
@RestController
final class AuthorityController {
  /** All paths of this class. */
  static final String[] PATHS = {
    "/ca.pem", "/ca.der", "/crl.pem", "/crl.der", "/trust-anchors.tar.gz", "/ocsp"
  };

  private static final Logger LOG = LoggerFactory.getLogger(AuthorityController.class);
  private static final String RETRY_SECONDS = "10";

  private static final MediaType PEM = MediaType.parseMediaType("application/x-pem-file");
  private static final MediaType CERTIFICATE = MediaType.parseMediaType("application/pkix-cert");
  private static final MediaType CRL = MediaType.parseMediaType("application/pkix-crl");
  private static final MediaType GZIP = MediaType.parseMediaType("application/gzip");

  private static final Duration CERTIFICATE_AGE = Duration.ofDays(1);

  /** A certificate may be revoked at any time, and a list made at once. */
  private static final Duration CRL_AGE = Duration.ofMinutes(5);

  private final CertificateAuthority authority;
  private final Clock clock;

  /** Why no list was signed, as it stands in the log with its trace. */
  private final AtomicReference<@Nullable String> told = new AtomicReference<>();

  AuthorityController(CertificateAuthority authority, Clock clock) {
    this.authority = authority;
    this.clock = clock;
  }

  /** With all above it: a subordinate authority's certificate alone proves nothing. */
  @GetMapping("/ca.pem")
  ResponseEntity<byte[]> certificateAsText() {
    byte[] pem = Pem.encode(authority.chain()).getBytes(StandardCharsets.US_ASCII);
    return cached(PEM, CERTIFICATE_AGE, pem);
  }

  @GetMapping("/ca.der")
  ResponseEntity<byte[]> certificate() throws GeneralSecurityException {
    return cached(CERTIFICATE, CERTIFICATE_AGE, authority.certificate().getEncoded());
  }

  @GetMapping("/crl.pem")
  ResponseEntity<byte[]> crlAsText() throws GeneralSecurityException {
    var crl =
        (X509CRL)
            CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(authority.crl().der()));
    return cached(PEM, CRL_AGE, TrustAnchorFiles.pem(crl).getBytes(StandardCharsets.US_ASCII));
  }

  @GetMapping("/crl.der")
  ResponseEntity<byte[]> crl() {
    return cached(CRL, CRL_AGE, authority.crl().der());
  }

  @GetMapping("/trust-anchors.tar.gz")
  ResponseEntity<byte[]> trustAnchors() throws IOException {
    var files = authority.trustAnchors();
    // Not of now: the same content is the same archive.
    var tar = new TarGz(authority.crl().made());
    for (Map.Entry<String, byte[]> file : files.files().entrySet()) {
      tar.file(file.getKey(), file.getValue());
    }
    for (Map.Entry<String, String> link : files.links().entrySet()) {
      tar.link(link.getKey(), link.getValue());
    }
    return cached(GZIP, CRL_AGE, tar.bytes());
  }

  /** A token that does not sign may do so soon; where there was no list before there is none. */
  @ExceptionHandler(IllegalStateException.class)
  ResponseEntity<byte[]> notSigned(IllegalStateException failure) {
    String reason = failure.toString();
    if (reason.equals(told.getAndSet(reason))) {
      LOG.warn("no list of revoked certificates is signed: {}", reason);
    } else {
      LOG.error("no list of revoked certificates is signed", failure);
    }
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
        .header("Retry-After", RETRY_SECONDS)
        .contentType(MediaType.TEXT_PLAIN)
        .body("try again soon\n".getBytes(StandardCharsets.US_ASCII));
  }

  /** RFC 6960 appendix A.1.1; the form with GET is {@link OcspGet}'s. */
  @PostMapping("/ocsp")
  ResponseEntity<byte[]> status(HttpServletRequest request) throws IOException {
    String type = request.getContentType();
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(OcspGet.REQUEST_TYPE)) {
      Body.discard(request);
      return ResponseEntity.status(HttpStatus.UNSUPPORTED_MEDIA_TYPE)
          .contentType(MediaType.TEXT_PLAIN)
          .body(("expected " + OcspGet.REQUEST_TYPE + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    OcspAnswer answer =
        authority.status(Body.read(request, OcspResponder.MAX_BYTES).orElse(new byte[0]));
    // An answer to POST is nobody else's, whatever it says.
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(OcspGet.ANSWER_TYPE))
        .cacheControl(CacheControl.noStore())
        .body(answer.encoded());
  }

  private ResponseEntity<byte[]> cached(MediaType type, Duration age, byte[] body) {
    Instant now = clock.instant();
    return ResponseEntity.ok()
        .contentType(type)
        .cacheControl(CacheControl.maxAge(age).cachePublic())
        .header("Expires", OcspGet.httpDate(now.plus(age)))
        .eTag('"' + HexFormat.of().formatHex(digest(body), 0, 16) + '"')
        .body(body);
  }

  private static byte[] digest(byte[] body) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
