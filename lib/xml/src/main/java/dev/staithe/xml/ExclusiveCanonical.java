package dev.staithe.xml;

import java.util.Arrays;
import java.util.List;

/**
 * Writes elements in exclusive canonical form (Exclusive XML Canonicalization 1.0, without
 * comments) while {@link XmlScanner} reads them: the bytes that a signature's digest is over. It is
 * the only such writer here; {@link CanonicalForm} brings it what others read. The scanner gives no
 * processing instructions, which the form has: it refuses them, or was told to pass them. Reused;
 * for one thread at a time.
 */
public final class ExclusiveCanonical {
  /**
   * Prefixes that a signature may list ({@code InclusiveNamespaces}) before a message is refused.
   * Each declaration is compared with all of them; nobody lists more than a few dozen.
   */
  public static final int MOST_PREFIXES = 64;

  private static final byte[] TYPE = {'t', 'y', 'p', 'e'};

  private final int instance;
  private final RenderedNamespaces rendered = new RenderedNamespaces();
  private boolean uncovered;
  private int[] order = new int[16];
  private int most = Integer.MAX_VALUE;

  /**
   * A writer.
   *
   * @param instance the number of XML Schema's namespace for instances among the known ones of the
   *     readers; zero for none
   */
  public ExclusiveCanonical(int instance) {
    this.instance = instance;
  }

  /**
   * Sets what is kept to from now on. A name that is declared once is written at each element that
   * uses it first, so that a short document can have a canonical form without end.
   *
   * @param bytes of what is written to, the most; by one element it may be more
   */
  public void limit(int bytes) {
    most = bytes;
  }

  /**
   * Begins anew.
   *
   * @param prefixes that are declared wherever they are in scope, used or not ({@code
   *     InclusiveNamespaces}); an empty one stands for the default namespace
   */
  public void begin(List<byte[]> prefixes) {
    uncovered = false;
    rendered.begin(prefixes);
  }

  /**
   * Begins anew, and declares all that is in scope, used or not, as Canonical XML 1.0 does: for
   * what nobody signed, and nothing may be lost of.
   */
  public void beginInclusive() {
    beginInclusive(0);
  }

  /**
   * The same, but for declarations that were made around it ({@link XmlScanner#declare}) and are
   * none of its own: they are declared where they are used.
   *
   * @param declared how many
   */
  public void beginInclusive(int declared) {
    uncovered = false;
    rendered.beginInclusive(declared);
  }

  /**
   * The prefixes that were declared although nothing visibly used them there, each once; an empty
   * one stands for the default namespace. In exclusive form with just these as {@code
   * InclusiveNamespaces}, what was written is the same.
   */
  public List<String> kept() {
    return rendered.kept();
  }

  /**
   * Those of them that the outermost element did not declare so. What surrounds it must not declare
   * them where a signature lists them: it would be declared there too then.
   */
  public List<String> keptBelow() {
    return rendered.keptBelow();
  }

  /**
   * Whether a text or a value was written that may mean something by a prefix which is not declared
   * in the output where it stands, as a {@code QName} does: it would mean nothing there, or
   * whatever is declared around. Looked for where the namespace of {@code xsi:type} is known.
   */
  public boolean uncovered() {
    return uncovered;
  }

  /** Writes all of the element whose start the scanner has just given. */
  public void element(XmlScanner scanner, Octets out) throws XmlRefused {
    int around = scanner.depth() - 1;
    start(scanner, out);
    while (scanner.depth() > around) {
      next(scanner, out);
    }
  }

  /**
   * Writes the next start, end or text.
   *
   * @return what it was, as {@link XmlScanner#next} says
   */
  public int next(XmlScanner scanner, Octets out) throws XmlRefused {
    int event = scanner.next();
    switch (event) {
      case XmlScanner.START -> start(scanner, out);
      case XmlScanner.TEXT -> text(scanner, out);
      case XmlScanner.END -> end(scanner, out);
      default -> {
        // The end of a piece.
      }
    }
    return event;
  }

  /** Writes the text that the scanner has just come to. */
  public void text(XmlScanner scanner, Octets out) throws XmlRefused {
    int from = out.size();
    scanner.canonicalText(out);
    if (instance != 0) {
      judgePrefixes(scanner.scope(), out.array(), from, out.size());
    }
  }

  /** Writes the start that the scanner has just given. */
  public void start(XmlScanner scanner, Octets out) throws XmlRefused {
    int depth = scanner.depth();
    start(
        depth,
        scanner.tag(),
        scanner.scope(),
        scanner.bytes(),
        scanner.nameAt(depth),
        scanner.nameLength(depth),
        out);
  }

  /** Writes a start tag that was read as bytes, its declarations already in the scope. */
  void start(
      int depth, Tag tag, NamespaceScope scope, byte[] in, int name, int nameLength, Octets out)
      throws XmlRefused {
    out.put('<');
    out.put(in, name, nameLength);
    rendered.enter(depth);
    rendered.use(scope, tag.place);
    int attributes = tag.count();
    for (int i = 0; i < attributes; i++) {
      if (tag.prefix[i] > 0) {
        rendered.use(scope, tag.namespaceAt[i]);
      }
    }
    rendered.declare(depth, scope, tag.declarations(), out);
    if (attributes == 1) {
      attribute(tag, 0, in, out);
    } else if (attributes > 1) {
      sort(tag, scope, in, attributes);
      for (int i = 0; i < attributes; i++) {
        attribute(tag, order[i], in, out);
      }
    }
    if (attributes > 0 && instance != 0) {
      judgeTypes(tag, scope);
    }
    out.put('>');
    if (out.size() > most) {
      throw new XmlRefused(
          XmlRefused.Kind.OVER_LIMIT, "a canonical form beyond the limit of " + most);
    }
  }

  /** Writes the end that the scanner has just given. */
  public void end(XmlScanner scanner, Octets out) {
    int depth = scanner.depth() + 1;
    endTag(scanner, depth, out);
    leave(depth);
  }

  /** Forgets what was declared by the start at a depth. */
  void leave(int depth) {
    rendered.leave(depth);
  }

  /**
   * Writes the end of the element that was started at a depth, without leaving it: more can be
   * written that stands within it, though elsewhere.
   */
  public void endTag(XmlScanner scanner, int depth, Octets out) {
    out.put('<');
    out.put('/');
    out.put(scanner.bytes(), scanner.nameAt(depth), scanner.nameLength(depth));
    out.put('>');
  }

  /** By namespace, those of none first, and then by local name. */
  private void sort(Tag tag, NamespaceScope scope, byte[] in, int attributes) {
    if (order.length < attributes) {
      order = new int[2 * attributes];
    }
    for (int i = 0; i < attributes; i++) {
      int j = i - 1;
      while (j >= 0 && compare(tag, scope, in, order[j], i) > 0) {
        order[j + 1] = order[j];
        j--;
      }
      order[j + 1] = i;
    }
  }

  private static int compare(Tag tag, NamespaceScope scope, byte[] in, int a, int b) {
    int place = tag.namespaceAt[a];
    int other = tag.namespaceAt[b];
    if (scope.numberAt(place) != scope.numberAt(other)) {
      if (place < 0 || other < 0) {
        return place < 0 ? -1 : 1;
      }
      return Arrays.compareUnsigned(
          scope.store,
          scope.nameAt[place],
          scope.nameAt[place] + scope.nameLength[place],
          scope.store,
          scope.nameAt[other],
          scope.nameAt[other] + scope.nameLength[other]);
    }
    return Arrays.compareUnsigned(
        in, tag.localAt(a), tag.nameEnd[a], in, tag.localAt(b), tag.nameEnd[b]);
  }

  private static void attribute(Tag tag, int attribute, byte[] in, Octets out) {
    out.put(' ');
    out.put(in, tag.nameAt[attribute], tag.nameEnd[attribute] - tag.nameAt[attribute]);
    out.put('=');
    out.put('"');
    int from = tag.valueAt[attribute];
    int to = tag.valueEnd[attribute];
    if (tag.mustEscape(attribute)) {
      escape(tag.valueIn(attribute), from, to, out);
    } else {
      out.put(tag.valueIn(attribute), from, to - from);
    }
    out.put('"');
  }

  static void escape(byte[] in, int from, int to, Octets out) {
    int run = from;
    for (int i = from; i < to; i++) {
      byte c = in[i];
      if (c > '<' || c < 0) {
        continue;
      }
      String escaped =
          switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '"' -> "&quot;";
            case '\t' -> "&#x9;";
            case '\n' -> "&#xA;";
            case '\r' -> "&#xD;";
            default -> "";
          };
      if (!escaped.isEmpty()) {
        out.put(in, run, i - run);
        out.put(escaped);
        run = i + 1;
      }
    }
    out.put(in, run, to - run);
  }

  /** Looks at what stands before each colon. */
  private void judgePrefixes(NamespaceScope scope, byte[] in, int from, int to) {
    for (int colon = from; colon < to && !uncovered; colon++) {
      if (in[colon] != ':') {
        continue;
      }
      int start = colon;
      while (start > from && (in[start - 1] < 0 || XmlBytes.is(in[start - 1], XmlBytes.NAME))) {
        start--;
      }
      int length = colon - start;
      if (length > 0) {
        int place = scope.find(in, start, length, NamespaceScope.key(in, start, length));
        uncovered = place > 0 && !rendered.has(scope, place);
      }
    }
  }

  private void judgeTypes(Tag tag, NamespaceScope scope) {
    for (int i = 0; i < tag.count(); i++) {
      judgePrefixes(scope, tag.valueIn(i), tag.valueAt(i), tag.valueEnd(i));
      if (tag.prefix[i] == 0
          || scope.numberAt(tag.namespaceAt[i]) != instance
          || !tag.hasLocalName(i, TYPE)) {
        continue;
      }
      // Without a prefix it is of the default namespace.
      byte[] value = tag.valueIn(i);
      int at = tag.valueAt(i);
      while (at < tag.valueEnd(i) && value[at] != ':') {
        at++;
      }
      uncovered |=
          at == tag.valueEnd(i) && scope.fallback > 0 && !rendered.has(scope, scope.fallback);
    }
  }
}
