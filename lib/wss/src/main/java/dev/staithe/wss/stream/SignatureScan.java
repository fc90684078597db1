package dev.staithe.wss.stream;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.ExclusiveCanonical;
import dev.staithe.xml.NamespaceScope;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@code ds:Signature} as it is written (XML Signature 1.1 section 4): references to identifiers
 * within the message, and exclusive canonicalization as their only transform.
 */
final class SignatureScan {
  /**
   * One reference.
   *
   * @param prefixes of InclusiveNamespaces; an empty one stands for {@code #default}
   * @param algorithm of the digest
   */
  record Ref(String id, List<byte[]> prefixes, String algorithm, byte[] digest) {}

  int infoFrom;
  int infoTo;
  final NamespaceScope scope = new NamespaceScope(Names.NAMESPACES);
  List<byte[]> infoPrefixes = List.of();
  String algorithm = "";
  final List<Ref> references = new ArrayList<>(4);
  byte[] value = new byte[0];
  @Nullable KeyName key;

  /** Reads the one that just started. */
  void read(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    scope.set(scanner.scope());
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.SIGNED_INFO)) {
      throw new UnsupportedShape("a signature of another shape");
    }
    infoFrom = scanner.startAt();
    info(work);
    infoTo = scanner.position();
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.SIGNATURE_VALUE)) {
      throw new UnsupportedShape("a signature of another shape");
    }
    value = SecurityScan.base64(work);
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.KEY_INFO)) {
      throw new UnsupportedShape("a signature of another shape");
    }
    key = KeyName.read(work);
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("a signature of another shape");
    }
  }

  private void info(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.CANONICALIZATION)) {
      throw new UnsupportedShape("signed information of another shape");
    }
    infoPrefixes = prefixes(work);
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.DS, Names.SIGNATURE_METHOD)) {
      throw new UnsupportedShape("signed information of another shape");
    }
    algorithm = SecurityScan.attribute(scanner.tag(), Names.ALGORITHM);
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("parameters of a signature's method");
    }
    while (EnvelopeScan.child(scanner)) {
      if (!scanner.is(Names.DS, Names.REFERENCE)) {
        throw new UnsupportedShape("signed information of another shape");
      }
      references.add(reference(work));
    }
    if (references.isEmpty()) {
      throw new UnsupportedShape("a signature of nothing");
    }
  }

  private static Ref reference(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    String uri = SecurityScan.attribute(scanner.tag(), Names.URI);
    if (uri.length() < 2 || uri.charAt(0) != '#' || uri.indexOf('(') >= 0) {
      throw new UnsupportedShape("a reference that is no identifier");
    }
    if (!EnvelopeScan.child(scanner)
        || !scanner.is(Names.DS, Names.TRANSFORMS)
        || !EnvelopeScan.child(scanner)
        || !scanner.is(Names.DS, Names.TRANSFORM)) {
      throw new UnsupportedShape("a reference of another shape");
    }
    List<byte[]> prefixes = prefixes(work);
    if (EnvelopeScan.child(scanner)
        || !EnvelopeScan.child(scanner)
        || !scanner.is(Names.DS, Names.DIGEST_METHOD)) {
      throw new UnsupportedShape("a reference of another shape");
    }
    String algorithm = SecurityScan.attribute(scanner.tag(), Names.ALGORITHM);
    if (EnvelopeScan.child(scanner)
        || !EnvelopeScan.child(scanner)
        || !scanner.is(Names.DS, Names.DIGEST_VALUE)) {
      throw new UnsupportedShape("a reference of another shape");
    }
    byte[] digest = SecurityScan.base64(work);
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("a reference of another shape");
    }
    return new Ref(uri.substring(1), prefixes, algorithm, digest);
  }

  /** Of the method or transform that just started: exclusive, and nothing else. */
  private static List<byte[]> prefixes(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    if (!SecurityScan.attribute(scanner.tag(), Names.ALGORITHM).equals(Namespaces.EXC_C14N)) {
      throw new UnsupportedShape("another transform than exclusive canonicalization");
    }
    if (!EnvelopeScan.child(scanner)) {
      return List.of();
    }
    if (!scanner.is(Names.EXC_C14N, Names.INCLUSIVE)) {
      throw new UnsupportedShape("parameters of canonicalization of another shape");
    }
    String list = SecurityScan.attribute(scanner.tag(), Names.PREFIX_LIST);
    scanner.skip();
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("parameters of canonicalization of another shape");
    }
    String[] all = list.strip().split("\\s+", ExclusiveCanonical.MOST_PREFIXES + 1);
    if (all.length > ExclusiveCanonical.MOST_PREFIXES) {
      throw new UnsupportedShape("more prefixes than anybody lists");
    }
    List<byte[]> prefixes = new ArrayList<>();
    for (String each : all) {
      if (!each.isEmpty()) {
        prefixes.add((each.equals("#default") ? "" : each).getBytes(StandardCharsets.UTF_8));
      }
    }
    return prefixes;
  }
}
