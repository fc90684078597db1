package dev.staithe.slcs.ca;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.PemException;
import dev.staithe.pki.ca.AuthorityKey;
import dev.staithe.pki.ca.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;

/** Opens the authority's key where the site keeps it, or makes one to try things out with. */
final class CaKeys {
  private static final Duration DEVELOPMENT_VALIDITY = Duration.ofDays(3650);

  private CaKeys() {}

  static CertificateIssuer open(CaSettings.Key key, Clock clock) throws IOException {
    return switch (key) {
      case CaSettings.Key.Development development -> development(development, clock);
      case CaSettings.Key.PemFiles pem -> readable(pem, clock);
      case CaSettings.Key.Pkcs12 p12 ->
          CertificateIssuer.of(
              AuthorityKey.pkcs12(p12.file(), p12.passwordFile(), p12.alias()), clock);
      case CaSettings.Key.Token token ->
          CertificateIssuer.of(AuthorityKey.pkcs11(token.token()), clock);
    };
  }

  private static CertificateIssuer readable(CaSettings.Key.PemFiles pem, Clock clock)
      throws PemException {
    return CertificateIssuer.read(pem.certificate(), pem.key(), clock);
  }

  private static CertificateIssuer development(CaSettings.Key.Development key, Clock clock)
      throws IOException {
    Path certificate = key.folder().resolve("ca.pem");
    Path privateKey = key.folder().resolve("ca.key");
    if (Files.exists(certificate)) {
      return CertificateIssuer.read(certificate, privateKey, clock);
    }
    if (!Files.isDirectory(key.folder())) {
      Files.createDirectories(
          key.folder(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    // A name of its own: two of one name would be taken for each other.
    byte[] random = new byte[4];
    new SecureRandom().nextBytes(random);
    var name =
        DistinguishedName.parse(
            "/DC=org/DC=staithe/CN=Staithe development CA " + HexFormat.of().formatHex(random));
    KeyKind kind = key.kind();
    var made = CertificateIssuer.create(name, kind, DEVELOPMENT_VALIDITY, clock);
    made.write(certificate, privateKey);
    return made;
  }
}
