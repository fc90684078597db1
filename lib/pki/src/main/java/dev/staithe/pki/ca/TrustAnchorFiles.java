package dev.staithe.pki.ca;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.Pem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.jspecify.annotations.Nullable;

/**
 * What an authority's users put into a folder like {@code /etc/grid-security/certificates}, laid
 * out as the IGTF's distribution does: files under the authority's alias, and links to them under
 * both hashes of its name. Immutable and thread-safe.
 *
 * @param files content by file name
 * @param links file name by the link's name; all in the same folder
 */
public record TrustAnchorFiles(Map<String, byte[]> files, Map<String, String> links) {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /** Copies the maps. */
  public TrustAnchorFiles {
    files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    links = Collections.unmodifiableMap(new LinkedHashMap<>(links));
  }

  /**
   * What the files say.
   *
   * @param alias the files' name: letters, digits, dots, dashes and underscores
   * @param certificate the authority's own
   * @param crl its current list of revoked certificates, or null where there is none yet
   * @param crlUrl where to fetch the next one, or null
   * @param namespaces what the names of all its certificates begin with, in the slash form, at
   *     least one
   * @param contact a mail address, or null
   */
  public record Authority(
      String alias,
      X509Certificate certificate,
      @Nullable X509CRL crl,
      @Nullable URI crlUrl,
      List<String> namespaces,
      @Nullable String contact) {
    /** Checks the alias. */
    public Authority {
      namespaces = List.copyOf(namespaces);
      if (!alias.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || namespaces.isEmpty()) {
        throw new IllegalArgumentException(
            "the files of an authority need a plain name and one namespace");
      }
      if (contact != null && !PersonCertificateRequest.isMail(contact)) {
        throw new IllegalArgumentException("the contact of an authority is a mail address");
      }
    }

    /** Its name in the slash form. */
    private String name() {
      return GridSubject.of(certificate.getSubjectX500Principal()).slashed();
    }
  }

  /** Makes the files. */
  public static TrustAnchorFiles of(Authority authority) {
    String alias = authority.alias();
    var subject = authority.certificate().getSubjectX500Principal();
    var files = new LinkedHashMap<String, byte[]>();
    files.put(alias + ".pem", ascii(Pem.encode(List.of(authority.certificate()))));
    // A file that its readers cannot take apart has all of the authority's people refused. Strings
    // stand in quotation marks in one, where a number sign begins a remark all the same, and in
    // apostrophes in the other; a stroke takes the mark behind it in both. Each says the same.
    String names = authority.name() + authority.namespaces();
    boolean ends = !authority.name().endsWith("\\");
    boolean namespaces = ends && names.indexOf('"') < 0 && names.indexOf('#') < 0;
    boolean policy =
        ends && names.indexOf('\'') < 0 && authority.namespaces().toString().indexOf('"') < 0;
    if (namespaces) {
      files.put(alias + ".namespaces", ascii(namespaces(authority)));
    }
    if (policy) {
      files.put(alias + ".signing_policy", ascii(signingPolicy(authority)));
    }
    files.put(alias + ".info", ascii(info(authority)));
    if (authority.crlUrl() != null) {
      files.put(alias + ".crl_url", ascii(authority.crlUrl().toASCIIString() + "\n"));
    }
    var links = new LinkedHashMap<String, String>();
    String current = NameHash.current(subject);
    String old = NameHash.old(subject);
    for (String hash : List.of(current, old)) {
      links.put(hash + ".0", alias + ".pem");
      if (namespaces) {
        links.put(hash + ".namespaces", alias + ".namespaces");
      }
      if (policy) {
        links.put(hash + ".signing_policy", alias + ".signing_policy");
      }
    }
    if (authority.crl() != null) {
      // A file, as fetch-crl writes it: it replaces this one when it runs.
      files.put(current + ".r0", ascii(pem(authority.crl())));
      links.put(old + ".r0", current + ".r0");
    }
    return new TrustAnchorFiles(files, links);
  }

  /**
   * Adds those above a subordinate authority: nobody can check its certificate without them.
   *
   * @param alias of the subordinate one; theirs are that and a number
   * @param subordinate whose certificate is checked
   * @param above the chain of it, the nearest first; those that are the subordinate one are left
   *     out
   */
  public TrustAnchorFiles with(
      String alias, X509Certificate subordinate, List<X509Certificate> above) {
    var files = new LinkedHashMap<>(this.files);
    var links = new LinkedHashMap<>(this.links);
    X509Certificate below = subordinate;
    int number = 1;
    for (X509Certificate each : above) {
      if (each.equals(subordinate)) {
        continue;
      }
      TrustAnchorFiles more =
          of(
              new Authority(
                  alias + "-" + number++,
                  each,
                  null,
                  null,
                  List.of(wider(below.getSubjectX500Principal())),
                  null));
      files.putAll(more.files());
      links.putAll(more.links());
      below = each;
    }
    return new TrustAnchorFiles(files, links);
  }

  /** A name without its last part, in the slash form; one that has no other stays. */
  private static String wider(X500Principal name) {
    RDN[] parts = X500Name.getInstance(name.getEncoded()).getRDNs();
    try {
      var wider = new X500Name(Arrays.copyOf(parts, Math.max(1, parts.length - 1)));
      return GridSubject.of(new X500Principal(wider.getEncoded())).slashed();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A list of revoked certificates as text (RFC 7468 §6). */
  public static String pem(X509CRL crl) {
    try {
      return "-----BEGIN X509 CRL-----\n"
          + LINES.encodeToString(crl.getEncoded())
          + "\n-----END X509 CRL-----\n";
    } catch (CRLException e) {
      throw new IllegalArgumentException("a revocation list without an encoding", e);
    }
  }

  /**
   * Writes them into a folder, each replaced in one step; other authorities' files stay.
   *
   * @param folder is there already
   */
  public void write(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      AtomicFile.write(folder.resolve(file.getKey()), file.getValue(), "rw-r--r--");
    }
    for (Map.Entry<String, String> link : links.entrySet()) {
      Path temporary = folder.resolve("." + UUID.randomUUID() + ".tmp");
      Files.createSymbolicLink(temporary, Path.of(link.getValue()));
      Files.move(temporary, folder.resolve(link.getKey()), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** The format of the EUGridPMA's namespaces files, version 1. */
  private static String namespaces(Authority authority) {
    var text = new StringBuilder("#NAMESPACES-VERSION: 1.0\n# " + authority.alias() + "\n");
    for (String namespace : authority.namespaces()) {
      text.append("TO Issuer \"")
          .append(authority.name())
          .append("\" \\\n  PERMIT Subject \"")
          .append(regex(namespace))
          .append("/.*\"\n");
    }
    return text.toString();
  }

  /** The extended access control list of Globus. */
  private static String signingPolicy(Authority authority) {
    var subjects = new StringBuilder();
    for (String namespace : authority.namespaces()) {
      subjects.append(subjects.isEmpty() ? "" : " ").append('"').append(namespace).append("/*\"");
    }
    return "# "
        + authority.alias()
        + "\naccess_id_CA      X509    '"
        + authority.name()
        + "'\npos_rights        globus  CA:sign\ncond_subjects     globus  '"
        + subjects
        + "'\n";
  }

  private static String info(Authority authority) {
    var text = new StringBuilder("# Information for CA ").append(authority.alias()).append('\n');
    line(text, "alias", authority.alias());
    line(text, "subjectdn", '"' + authority.name() + '"');
    line(text, "sha1fp.0", fingerprint(authority.certificate()));
    if (authority.crlUrl() != null) {
      line(text, "crl_url", authority.crlUrl().toASCIIString());
    }
    if (authority.contact() != null) {
      line(text, "email", authority.contact());
    }
    line(text, "status", "operational");
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(" = ").append(value).append('\n');
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(certificate.getEncoded());
      return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate without a fingerprint", e);
    }
  }

  /** What stands for itself in the regular expressions of all readers. */
  private static String regex(String text) {
    return Pattern.compile("[.\\[\\]{}()*+?^$|\\\\]").matcher(text).replaceAll("\\\\$0");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
