package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.pki.TrustAnchors;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which servers speak for which virtual organization: one reading of a folder such as {@code
 * /etc/grid-security/vomsdir}. In it is a folder for each organization, and there {@code HOST.lsc}:
 * the name of the server's certificate, that of its issuer and so on, one a line, written with
 * slashes; a line {@code ------ NEXT CHAIN ------} begins another chain that is good too. Immutable
 * and thread-safe.
 */
public final class VomsTrust {
  private static final String NEXT_CHAIN = "------";
  private static final VomsTrust NONE = new VomsTrust(Map.of(), List.of());

  private final Map<String, List<List<GridSubject>>> chains;
  private final List<TrustAnchors.Skipped> skipped;

  private VomsTrust(
      Map<String, List<List<GridSubject>>> chains, List<TrustAnchors.Skipped> skipped) {
    this.chains = Map.copyOf(chains);
    this.skipped = List.copyOf(skipped);
  }

  /** No server is trusted: attributes are told, and that they are not verified. */
  public static VomsTrust none() {
    return NONE;
  }

  /**
   * Reads all files.
   *
   * @throws PemException where the folder cannot be read
   */
  public static VomsTrust read(Path folder) throws PemException {
    Map<String, List<List<GridSubject>>> chains = new HashMap<>();
    List<TrustAnchors.Skipped> skipped = new ArrayList<>();
    try (DirectoryStream<Path> organizations = Files.newDirectoryStream(folder)) {
      for (Path organization : organizations) {
        if (!Files.isDirectory(organization)) {
          continue;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(organization, "*.lsc")) {
          for (Path file : files) {
            String name = file.getFileName().toString();
            try {
              chains.put(
                  key(
                      organization.getFileName().toString(),
                      name.substring(0, name.length() - ".lsc".length())),
                  chains(file));
            } catch (PemException | IllegalArgumentException e) {
              skipped.add(
                  new TrustAnchors.Skipped(
                      file.toString(), "it is no list of names, one a line, written with slashes"));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new PemException(folder + " cannot be read: " + e.getClass().getSimpleName(), e);
    }
    return new VomsTrust(chains, skipped);
  }

  private static List<List<GridSubject>> chains(Path file) throws PemException {
    List<List<GridSubject>> all = new ArrayList<>();
    List<GridSubject> chain = new ArrayList<>();
    for (String line : Pem.readText(file).lines().map(String::strip).toList()) {
      if (line.startsWith(NEXT_CHAIN)) {
        all.add(List.copyOf(chain));
        chain.clear();
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        chain.add(GridSubject.parse(line));
      }
    }
    all.add(List.copyOf(chain));
    return List.copyOf(all);
  }

  private static String key(String vo, String host) {
    return vo + "//" + host.toLowerCase(Locale.ROOT);
  }

  /** Files that could not be used. */
  public List<TrustAnchors.Skipped> skipped() {
    return skipped;
  }

  /**
   * Why an attribute certificate is not believed, as one line, or null where it is.
   *
   * @param authorities judges the server's certificate
   */
  @Nullable String doubt(VomsCertificate voms, ClientChainValidator authorities) {
    List<List<GridSubject>> known = chains.get(key(voms.vo(), voms.server()));
    if (known == null) {
      return "no server of that organization is known here under the name that it gives";
    }
    if (voms.signers().isEmpty()) {
      return "it does not bring the certificate of its server";
    }
    if (known.stream().noneMatch(chain -> is(chain, voms.signers()))) {
      return "its server has another certificate than is trusted for the organization";
    }
    if (voms.demanding()) {
      return "it is meant for other hosts, or demands what is not known here";
    }
    if (voms.digest().forgeable(authorities.takesSha1())) {
      return "it is signed over a digest that is forgeable";
    }
    return switch (authorities.examine(voms.signers(), ChainFinding.Use.ATTRIBUTES)) {
      case ChainFinding.Good _ -> null;
      case ChainFinding.Bad bad -> "of its server, " + bad.fault().line();
    };
  }

  /** Each certificate under the name in its place, and its issuer under the next. */
  private static boolean is(List<GridSubject> names, List<X509Certificate> sent) {
    List<X509Certificate> signers =
        sent.stream()
            .filter(each -> !each.getSubjectX500Principal().equals(each.getIssuerX500Principal()))
            .toList();
    if (signers.isEmpty() || names.size() != signers.size() + 1) {
      return false;
    }
    for (int i = 0; i < signers.size(); i++) {
      if (!GridSubject.of(signers.get(i).getSubjectX500Principal()).equals(names.get(i))
          || !GridSubject.of(signers.get(i).getIssuerX500Principal()).equals(names.get(i + 1))) {
        return false;
      }
    }
    return true;
  }
}
