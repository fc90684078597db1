package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads XML 1.0 with namespaces straight from bytes in UTF-8, for messages that are canonicalized
 * as they are read: no text is made of what is only passed on. As strict as {@link SafeXml}, and
 * stricter: no document type declaration, no comments, no processing instructions. Everything is
 * judged for well-formedness when it is passed, also what is skipped. Reused; for one thread at a
 * time.
 */
public final class XmlScanner {
  /** The end of the document or of the piece. */
  public static final int DONE = 0;

  /** The start of an element. */
  public static final int START = 1;

  /** The end of an element. */
  public static final int END = 2;

  /** Text, with what stood in CDATA sections. */
  public static final int TEXT = 3;

  /** What was passed over is none of these: it is gone on. */
  private static final int AGAIN = -1;

  static final byte[] NOTHING = new byte[0];

  private XmlLimits limits = XmlLimits.ofBytes(Integer.MAX_VALUE);
  private NonContent asides = NonContent.NONE;
  private final Tag tag;
  private byte[] in = NOTHING;
  private int pos;
  private int end;
  private NamespaceScope scope;
  private boolean begun;
  private int depth;
  private int outer;
  private boolean whole;
  private boolean pendingText;
  private boolean pendingEnd;
  private boolean unusual;
  private int startAt;
  private int contentFrom;
  private int contentTo;
  private int[] nameAt = new int[16];
  private int[] nameLength = new int[16];
  private int[] prefixLength = new int[16];
  private int[] mark = new int[16];

  /**
   * A reader.
   *
   * @param known namespaces that have fixed numbers
   */
  public XmlScanner(ByteNames known) {
    this.scope = new NamespaceScope(known);
    this.tag = new Tag();
  }

  /**
   * Sets what is kept to from now on.
   *
   * @param asides what is passed over, and not refused
   */
  public void limit(XmlLimits limits, NonContent asides) {
    this.limits = limits;
    this.asides = asides;
    tag.limits = limits;
  }

  /**
   * Sets where identifiers are put from now on: the values of {@code Id}, {@code ID}, {@code
   * xml:id} and {@code wsu:Id}, which share one space.
   *
   * @param identifiers null for nowhere
   * @param utility the number of the namespace of {@code wsu:Id}
   */
  public void identify(@Nullable Set<String> identifiers, int utility) {
    tag.identify(identifiers, utility);
  }

  /** Whether an identifier came that was put before. */
  public boolean ambiguous() {
    return tag.ambiguous;
  }

  /**
   * Whether more identifiers came than {@link XmlLimits#IDENTIFIERS}. Those beyond were not put
   * anywhere, nor compared.
   */
  public boolean crowded() {
    return tag.crowded;
  }

  /**
   * A document's bytes in UTF-8 without byte order mark, which are the same bytes where they are so
   * already. What declares another encoding that {@link SafeXml} takes is converted.
   *
   * @throws XmlRefused where it is in no accepted encoding
   */
  public static byte[] utf8(byte[] document) throws XmlRefused {
    return Declaration.utf8(document);
  }

  /**
   * Begins a whole document.
   *
   * @param document as {@link #utf8} gives it
   * @throws XmlRefused where already the beginning is refused
   */
  public void document(byte[] document) throws XmlRefused {
    if (document.length > limits.bytes()) {
      throw new XmlRefused(Kind.TOO_LARGE, "the document is too large");
    }
    begin(document, 0, document.length, 0);
    scope.clear();
    whole = true;
    pos = Declaration.read(document);
  }

  /**
   * Begins a piece: elements and text that stand in a scope, as one element that was passed before,
   * or content that was encrypted. A piece must not end within an element.
   *
   * @param scope of the namespaces around it; its declarations are copied
   * @param around the number of elements around it, which count for the limit of depth
   */
  public void piece(byte[] in, int from, int to, NamespaceScope scope, int around) {
    begin(in, from, to, around);
    this.scope.set(scope);
    whole = false;
  }

  /**
   * Declares a prefix around what was just begun, as if an element around it did.
   *
   * @param prefix not empty
   */
  public void declare(byte[] prefix, byte[] namespace) {
    scope.add(
        prefix,
        0,
        prefix.length,
        NamespaceScope.key(prefix, 0, prefix.length),
        namespace,
        0,
        namespace.length);
  }

  private void begin(byte[] in, int from, int to, int around) {
    this.in = in;
    this.pos = from;
    this.end = to;
    this.begun = false;
    this.depth = 0;
    this.outer = around;
    this.pendingText = false;
    this.pendingEnd = false;
    this.unusual = false;
  }

  /** Lets go of what was read, so that a reader which is kept keeps no document. */
  public void forget() {
    begin(NOTHING, 0, 0, 0);
    tag.forget();
  }

  /**
   * Goes on. Text that was not taken is passed.
   *
   * @return {@link #START}, {@link #END}, {@link #TEXT} or {@link #DONE}
   * @throws XmlRefused where the document is not to be read on
   */
  public int next() throws XmlRefused {
    // A loop, since a document may have a million remarks in a row.
    int event = step();
    while (event == AGAIN) {
      event = step();
    }
    return event;
  }

  private int step() throws XmlRefused {
    if (pendingText) {
      text(null, false);
    }
    if (pendingEnd) {
      pendingEnd = false;
      return close();
    }
    if (depth == 0 && whole) {
      return outside();
    }
    if (pos >= end) {
      if (depth > 0) {
        throw malformed("it ends within an element");
      }
      return DONE;
    }
    if (in[pos] != '<' || startsWith("<![CDATA[")) {
      pendingText = true;
      return TEXT;
    }
    return markup();
  }

  private int outside() throws XmlRefused {
    while (pos < end && XmlBytes.is(in[pos], XmlBytes.SPACE)) {
      pos++;
    }
    if (pos >= end) {
      if (!begun) {
        throw malformed("there is no element");
      }
      return DONE;
    }
    if (in[pos] != '<' || startsWith("<![CDATA[")) {
      throw malformed("text outside of the element");
    }
    if (begun && end - pos > 1 && in[pos + 1] != '!' && in[pos + 1] != '?') {
      throw malformed("more than one element");
    }
    return markup();
  }

  private int markup() throws XmlRefused {
    if (end - pos < 3) {
      throw malformed("it ends within a tag");
    }
    if (asides == NonContent.ALL && in[pos + 1] == '?'
        || asides != NonContent.NONE && startsWith("<!--")) {
      pos = CommentScan.pass(in, pos, end);
      return AGAIN;
    }
    switch (in[pos + 1]) {
      case '/' -> {
        return endTag();
      }
      case '!' -> {
        throw startsWith("<!--")
            ? new XmlRefused(Kind.FORBIDDEN, "comments are not accepted")
            : startsWith("<!DOCTYPE")
                ? new XmlRefused(
                    Kind.FORBIDDEN, "document type declarations and entities are not accepted")
                : malformed("no known markup");
      }
      case '?' -> throw new XmlRefused(Kind.FORBIDDEN, "processing instructions are not accepted");
      default -> {
        return startTag();
      }
    }
  }

  private int startTag() throws XmlRefused {
    startAt = pos;
    begun = true;
    if (++depth + outer > limits.depth()) {
      throw new XmlRefused(Kind.OVER_LIMIT, "nesting beyond the limit of " + limits.depth());
    }
    if (depth == nameAt.length) {
      deepen();
    }
    mark[depth] = scope.count;
    pos = tag.read(in, pos + 1, end, scope);
    unusual |= tag.unusual;
    nameAt[depth] = startAt + 1;
    nameLength[depth] = tag.nameLength;
    prefixLength[depth] = tag.prefixLength;
    pendingEnd = tag.empty;
    return START;
  }

  private int endTag() throws XmlRefused {
    if (depth == 0) {
      throw malformed("an end without a start");
    }
    int at = nameAt[depth];
    int length = nameLength[depth];
    int p = pos + 2;
    if (end - p <= length) {
      throw malformed("it ends within a tag");
    }
    for (int i = 0; i < length; i++) {
      if (in[p + i] != in[at + i]) {
        throw malformed("start and end differ");
      }
    }
    p += length;
    while (p < end && XmlBytes.is(in[p], XmlBytes.SPACE)) {
      p++;
    }
    if (p >= end || in[p] != '>') {
      throw malformed("start and end differ");
    }
    pos = p + 1;
    return close();
  }

  private int close() {
    scope.truncate(mark[depth]);
    depth--;
    return END;
  }

  /** Passes all that is left of the element whose start was just given, its end included. */
  public void skip() throws XmlRefused {
    int around = depth - 1;
    while (depth > around) {
      next();
    }
  }

  /**
   * Takes the text that {@link #next} has come to, in canonical form (Canonical XML 1.0 section
   * 2.3): escaped as that says.
   */
  public void canonicalText(Octets out) throws XmlRefused {
    text(out, true);
  }

  /** Takes the text that {@link #next} has come to, as it is meant. */
  public void plainText(Octets out) throws XmlRefused {
    text(out, false);
  }

  /**
   * Takes the content of the element whose start was just given, which must be nothing but text,
   * and its end.
   *
   * @return whether it was; where not, the reader stands within the element
   */
  public boolean content(Octets out) throws XmlRefused {
    int event = next();
    while (event == TEXT) {
      text(out, false);
      event = next();
    }
    return event == END;
  }

  /**
   * Takes the content of the element whose start was just given, and its end, where that is one run
   * of text that means itself: it stands in what is read from {@link #contentFrom} to {@link
   * #contentTo}. Spares a copy of long values.
   *
   * @return whether it was; where not, nothing was taken
   */
  public boolean plainContent() throws XmlRefused {
    if (pendingEnd) {
      return false;
    }
    int p = pos;
    while (p < end && XmlBytes.is(in[p], XmlBytes.TEXT)) {
      p++;
    }
    if (end - p < 2 || in[p] != '<' || in[p + 1] != '/' || p - pos > limits.textLength()) {
      return false;
    }
    contentFrom = pos;
    contentTo = p;
    pos = p;
    endTag();
    return true;
  }

  /** Where {@link #plainContent} begins. */
  public int contentFrom() {
    return contentFrom;
  }

  /** Where {@link #plainContent} ends. */
  public int contentTo() {
    return contentTo;
  }

  private void text(@Nullable Octets out, boolean canonical) throws XmlRefused {
    pendingText = false;
    int stop = CharacterData.read(in, pos, end, out, canonical);
    if (stop - pos > limits.textLength()) {
      throw new XmlRefused(Kind.OVER_LIMIT, "text beyond the limit of " + limits.textLength());
    }
    pos = stop;
  }

  /** How many elements are open in what is read; that which just started among them. */
  public int depth() {
    return depth;
  }

  /** Where the element that just started begins in the bytes that are read. */
  public int startAt() {
    return startAt;
  }

  /** Up to where the bytes are read; after an end, its tag included. */
  public int position() {
    return pos;
  }

  /**
   * Whether a name had characters beyond ASCII: what counts as a letter differs between editions of
   * XML 1.0, so another reader may not agree.
   */
  public boolean unusual() {
    return unusual;
  }

  /** Whether the element that just started has a known namespace's number and a local name. */
  public boolean is(int namespace, byte[] localName) {
    return tag.number == namespace && ByteNames.same(localName, in, localAt(), localEnd());
  }

  /** The number of the namespace of the element that just started; negative for one unknown. */
  public int namespace() {
    return tag.number;
  }

  /** Its local name. */
  public String localName() {
    return new String(in, localAt(), localEnd() - localAt(), StandardCharsets.UTF_8);
  }

  /** Its namespace's name; empty for none. */
  public String namespaceName() {
    return scope.nameAt(tag.place);
  }

  /** Its attributes. */
  public Tag tag() {
    return tag;
  }

  /** The declarations in force. */
  public NamespaceScope scope() {
    return scope;
  }

  int nameAt(int level) {
    return nameAt[level];
  }

  int nameLength(int level) {
    return nameLength[level];
  }

  /** What is read. */
  public byte[] bytes() {
    return in;
  }

  private int localAt() {
    return nameAt[depth] + prefixLength[depth] + (prefixLength[depth] == 0 ? 0 : 1);
  }

  private int localEnd() {
    return nameAt[depth] + nameLength[depth];
  }

  private boolean startsWith(String text) {
    int length = text.length();
    if (end - pos < length) {
      return false;
    }
    // The first byte that differs is mostly the second.
    for (int i = 1; i < length; i++) {
      if (in[pos + i] != text.charAt(i)) {
        return false;
      }
    }
    return in[pos] == text.charAt(0);
  }

  private void deepen() {
    int size = 2 * nameAt.length;
    nameAt = Arrays.copyOf(nameAt, size);
    nameLength = Arrays.copyOf(nameLength, size);
    prefixLength = Arrays.copyOf(prefixLength, size);
    mark = Arrays.copyOf(mark, size);
  }

  static XmlRefused malformed(String line) {
    return new XmlRefused(Kind.MALFORMED, "not well-formed XML: " + line);
  }
}
