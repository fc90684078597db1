package dev.staithe.cli.certificate;

import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ProxyFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The certificate or proxy, with its key, by which a command acts. */
public final class OwnCredential {
  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description =
          "a certificate or proxy with its key; default: $X509_USER_CERT, or what staithe cert has"
              + " written without options")
  private @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "its key, where that is not in there")
  private @Nullable Path key;

  /** What was read that is no proxy: certificate and key. */
  private final List<Path> lasting = new ArrayList<>();

  /** Reads the one that is named, else the certificate of the environment or the profile. */
  public Credential certificate(StaitheCommand staithe) throws IOException {
    return certificateIfAny(staithe)
        .orElseThrow(
            () ->
                new IOException(
                    staithe.profile().certificate()
                        + ": no such file; staithe cert gets a certificate, or --cert FILE names"
                        + " one"));
  }

  private Optional<Credential> certificateIfAny(StaitheCommand staithe) throws IOException {
    Path named = certificate;
    if (named != null) {
      return Optional.of(read(staithe, named, key == null ? named : key));
    }
    String environment = staithe.profile().variable("X509_USER_CERT");
    Path file = environment.isEmpty() ? staithe.profile().certificate() : Path.of(environment);
    String environmentKey = staithe.profile().variable("X509_USER_KEY");
    Path usualKey =
        environment.isEmpty() || environmentKey.isEmpty() ? file : Path.of(environmentKey);
    if (!Files.exists(file)) {
      if (environment.isEmpty()) {
        return Optional.empty();
      }
      throw new IOException(file + ": no such file, which $X509_USER_CERT names");
    }
    return Optional.of(read(staithe, file, key == null ? usualKey : key));
  }

  /** The same, but a proxy that is valid goes before the certificate, as grid tools have it. */
  public Credential proxyOrCertificate(StaitheCommand staithe) throws IOException {
    Optional<Credential> proxy = proxy(staithe);
    return proxy.isPresent() ? proxy.get() : certificate(staithe);
  }

  /** The same; empty where none is named and none is where grid tools look. */
  public Optional<Credential> proxyOrCertificateIfAny(StaitheCommand staithe) throws IOException {
    Optional<Credential> proxy = proxy(staithe);
    return proxy.isPresent() ? proxy : certificateIfAny(staithe);
  }

  private Optional<Credential> proxy(StaitheCommand staithe) throws IOException {
    Path proxy = staithe.profile().gridFile();
    if (certificate == null && key == null && Files.exists(proxy) && ours(staithe, proxy)) {
      Credential found = read(staithe, proxy, proxy);
      Instant end = ProxyFacts.of(found.chain()).notAfter();
      if (end.isAfter(staithe.clock().instant())) {
        staithe.terminal().progress("with " + proxy);
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /** Which file is named in the environment is the user's doing. */
  private static boolean ours(StaitheCommand staithe, Path file) throws IOException {
    if (!staithe.profile().variable("X509_USER_PROXY").isEmpty()) {
      return true;
    }
    boolean ours = staithe.profile().owns(file);
    if (!ours) {
      staithe.terminal().note(file + " is another user's, and is passed over");
    }
    return ours;
  }

  /**
   * Refuses to write over what was read, unless that is a proxy: one is made again, the key of a
   * certificate is not.
   *
   * @throws IOException with one line where that would be
   */
  public void requireOther(Path file) throws IOException {
    for (Path each : lasting) {
      if (Files.exists(file) && Files.isSameFile(file, each)) {
        throw new IOException(
            file + " has the certificate or key that signs, and would lose it: --out FILE");
      }
    }
  }

  /** A kind of key as good as its own. */
  static KeyKind kindOf(Credential credential) {
    return credential.certificate().getPublicKey() instanceof RSAPublicKey rsa
        ? rsa.getModulus().bitLength() >= 3072 ? KeyKind.RSA_3072 : KeyKind.RSA_2048
        : KeyKind.EC_P256;
  }

  private Credential read(StaitheCommand staithe, Path file, Path keyFile) throws IOException {
    Credential read = Credential.read(file, keyFile);
    if (ProxyFacts.of(read.chain()).form() == null) {
      lasting.addAll(List.of(file, keyFile));
    }
    if (othersRead(keyFile)) {
      staithe.terminal().note("others can read the key in " + keyFile + ": chmod 600 " + keyFile);
    }
    return read;
  }

  private static boolean othersRead(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      return permissions.contains(PosixFilePermission.OTHERS_READ)
          || permissions.contains(PosixFilePermission.GROUP_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
