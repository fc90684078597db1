package dev.staithe.xml;

/**
 * How much of a document is read before it is refused.
 *
 * @param bytes the whole document, positive
 * @param depth nested elements, positive
 * @param attributes of one element, namespace declarations included, positive
 * @param nameLength characters of an element's, attribute's, prefix's or namespace's name, positive
 * @param textLength characters of one run of text or one attribute, positive
 * @param nodes elements and attributes, namespace declarations included, of one tree in memory,
 *     positive: each takes some hundred times what it takes in the document. What is only passed is
 *     not bound by it
 */
public record XmlLimits(
    long bytes, int depth, int attributes, int nameLength, int textLength, int nodes) {
  /** As many nodes of a tree as take a second, and no more memory than a large document. */
  public static final int NODES = 250_000;

  /** Identifiers of one document: each is kept while it is read, at many times its length. */
  public static final int IDENTIFIERS = 100_000;

  /** Checks the values. */
  public XmlLimits {
    if (bytes < 1 || depth < 1 || attributes < 1 || nameLength < 1 || textLength < 1 || nodes < 1) {
      throw new IllegalArgumentException("limits of a document are positive");
    }
  }

  /** With {@link #NODES}. */
  public XmlLimits(long bytes, int depth, int attributes, int nameLength, int textLength) {
    this(bytes, depth, attributes, nameLength, textLength, NODES);
  }

  /** Depth 64, 64 attributes, names of 1,000 characters, and text as long as the document. */
  public static XmlLimits ofBytes(long bytes) {
    return new XmlLimits(bytes, 64, 64, 1_000, (int) Math.min(bytes, Integer.MAX_VALUE));
  }
}
