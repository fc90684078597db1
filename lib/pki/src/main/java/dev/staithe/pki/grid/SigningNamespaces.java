package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.PemException;
import dev.staithe.pki.TrustAnchors;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.ns.EuGridPmaNamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.EuGridPmaNamespacesStore;
import eu.emi.security.authn.x509.helpers.ns.GlobusNamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.GlobusNamespacesStore;
import eu.emi.security.authn.x509.helpers.ns.NamespaceChecker;
import eu.emi.security.authn.x509.helpers.ns.NamespacePolicy;
import eu.emi.security.authn.x509.helpers.ns.NamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.NamespacesStore;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Which names an authority may give out, by the files of a grid-security folder, which are read
 * once. Thread-safe after it was made.
 */
final class SigningNamespaces {
  private static final Pattern FILE =
      Pattern.compile("([0-9a-fA-F]{8})\\.(namespaces|signing_policy)");

  private final EuGrid euGrid = new EuGrid();
  private final Globus globus = new Globus();
  private final Set<String> unreadable = new HashSet<>();

  /** Authorities that have a file, by the hash in its name. */
  private final Set<String> told = new HashSet<>();

  private final List<TrustAnchors.Skipped> skipped = new ArrayList<>();

  /** canl's own way of loading passes over a file that it cannot parse, so that it permits all. */
  private static final class EuGrid extends EuGridPmaNamespacesStore {
    EuGrid() {
      super(new ObserversHandler(), true);
    }

    void take(List<NamespacePolicy> policies) {
      setPolicies(policies);
    }
  }

  private static final class Globus extends GlobusNamespacesStore {
    Globus() {
      super(new ObserversHandler(), true);
    }

    void take(List<NamespacePolicy> policies) {
      setPolicies(policies);
    }
  }

  private SigningNamespaces() {}

  /** Without any file. */
  static SigningNamespaces none() {
    SigningNamespaces none = new SigningNamespaces();
    none.euGrid.take(List.of());
    none.globus.take(List.of());
    return none;
  }

  static SigningNamespaces read(Path folder) throws PemException {
    SigningNamespaces read = new SigningNamespaces();
    List<NamespacePolicy> euGrid = new ArrayList<>();
    List<NamespacePolicy> globus = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        if (!name.matches()) {
          continue;
        }
        boolean isGlobus = name.group(2).equals("signing_policy");
        NamespacesParser parser =
            isGlobus
                ? new GlobusNamespacesParser(file.toString())
                : new EuGridPmaNamespacesParser(file.toString(), true);
        read.told.add(name.group(1).toLowerCase(Locale.ROOT));
        read.parse(parser, file, name.group(1), isGlobus ? globus : euGrid);
      }
    } catch (IOException e) {
      throw new PemException(folder + " cannot be listed", e);
    }
    read.euGrid.take(euGrid);
    read.globus.take(globus);
    return read;
  }

  private void parse(NamespacesParser parser, Path file, String hash, List<NamespacePolicy> into) {
    String fault;
    try {
      List<NamespacePolicy> policies = parser.parse();
      into.addAll(policies);
      fault = policies.isEmpty() ? "permits nothing" : null;
    } catch (IOException | RuntimeException e) {
      fault = "cannot be read as names that its authority may give out";
    }
    if (fault != null) {
      unreadable.add(hash.toLowerCase(Locale.ROOT));
      skipped.add(new TrustAnchors.Skipped(file.getFileName().toString(), fault));
    }
  }

  /** Files that could not be used, whose authorities are thereby refused. */
  List<TrustAnchors.Skipped> skipped() {
    return List.copyOf(skipped);
  }

  /**
   * What the files say against a path, as the end of a sentence, or null for nothing.
   *
   * @param path of the certificates that were found to lead to the anchor, and no others: what a
   *     client sent beside them has authorities with other names
   */
  @Nullable String against(List<X509Certificate> path, ClientChainRules.Namespaces mode) {
    if (mode == ClientChainRules.Namespaces.IGNORE) {
      return null;
    }
    X509Certificate[] chain = path.toArray(X509Certificate[]::new);
    for (int i = 0; i < chain.length; i++) {
      X500Principal authority = chain[i].getIssuerX500Principal();
      String hash =
          OpensslTruststoreHelper.getOpenSSLCAHash(authority, true).toLowerCase(Locale.ROOT);
      if (unreadable.contains(hash)) {
        return "has an authority whose namespaces cannot be read";
      }
      boolean spokenOf = spokenOf(euGrid, chain, i) || spokenOf(globus, chain, i);
      // canl takes a file that names another authority, or this one with a slip, for none.
      if (!spokenOf
          && told.contains(hash)
          && !authority.equals(chain[i].getSubjectX500Principal())) {
        return "has an authority whose file of namespaces does not speak of it";
      }
      // The files speak of names with slashes, and canl compares these as text.
      if (spokenOf && GridSubject.misleadsWithSlashes(chain[i].getSubjectX500Principal())) {
        return "has a name that its authority may not give out: a slash misleads";
      }
    }
    NamespaceChecker checker =
        new NamespaceChecker(
            mode == ClientChainRules.Namespaces.REQUIRE
                ? NamespaceCheckingMode.EUGRIDPMA_GLOBUS_REQUIRE
                : NamespaceCheckingMode.EUGRIDPMA_GLOBUS,
            euGrid,
            globus);
    return checker.check(chain).stream()
        .findFirst()
        .map(
            error ->
                switch (error.getErrorCode()) {
                  case nsUndefinedAndRequired ->
                      "has an authority without a file of namespaces, which is required";
                  default -> "has a name that its authority may not give out";
                })
        .orElse(null);
  }

  private static boolean spokenOf(NamespacesStore files, X509Certificate[] chain, int index) {
    List<NamespacePolicy> policies = files.getPolicies(chain, index);
    return policies != null && !policies.isEmpty();
  }
}
