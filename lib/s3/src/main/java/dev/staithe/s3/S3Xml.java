package dev.staithe.s3;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlText;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The few documents of the protocol, read as they pass and written. */
final class S3Xml {
  private static final String SPACE = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

  private S3Xml() {}

  /** Gets the text of each element that has only text, with the name of the one around it. */
  private interface Leaf {
    void text(String around, String name, String text);

    default void end(String name) {}
  }

  /** Reads a document piece by piece; namespaces are not asked for, as engines differ in them. */
  private static void read(byte[] document, Leaf leaf) throws XMLStreamException {
    XMLStreamReader reader =
        SafeXml.reader(
            new ByteArrayInputStream(document), XmlLimits.ofBytes(Math.max(1, document.length)));
    List<String> open = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    boolean only = false;
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          open.add(reader.getLocalName());
          text.setLength(0);
          only = true;
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.append(reader.getText());
        case XMLStreamConstants.END_ELEMENT -> {
          String name = open.removeLast();
          if (only) {
            leaf.text(open.isEmpty() ? "" : open.getLast(), name, text.toString());
          }
          leaf.end(name);
          only = false;
        }
        default -> {
          // Comments say nothing.
        }
      }
    }
  }

  /** The code of an error; empty where the document is none. */
  static String errorCode(byte[] document) {
    StringBuilder code = new StringBuilder();
    try {
      read(
          document,
          (around, name, text) -> {
            if (around.equals("Error") && name.equals("Code") && code.isEmpty()) {
              code.append(text.strip());
            }
          });
    } catch (XMLStreamException none) {
      return ""; // A page for people, of a proxy on the way.
    }
    return code.toString();
  }

  /** The first text of an element of that name. */
  static String text(byte[] document, String wanted) throws S3Failure {
    Map<String, String> found = new HashMap<>();
    try {
      read(document, (around, name, text) -> found.putIfAbsent(name, text));
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
    return found.getOrDefault(wanted, "");
  }

  static S3Failure malformed(Exception cause) {
    String why = cause instanceof XmlRefused refused ? refused.reason() : "not as expected";
    return new S3Failure(
        S3Failure.Kind.MALFORMED, "the object store's answer cannot be read: " + why, cause);
  }

  /** A page of a listing. */
  static ListPage page(byte[] document) throws S3Failure {
    var leaf = new PageLeaf();
    try {
      read(document, leaf);
      return leaf.page();
    } catch (XMLStreamException | DateTimeException | IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  /**
   * Where a listing goes on; empty at its end.
   *
   * @throws IllegalArgumentException where more follows and nothing tells from where: what is there
   *     would pass for the whole
   */
  private static String next(Map<String, String> own, String mark) {
    if (!own.getOrDefault("IsTruncated", "").strip().equals("true")) {
      return "";
    }
    String next = own.getOrDefault(mark, "");
    if (next.isEmpty()) {
      throw new IllegalArgumentException("a listing that goes on from nowhere");
    }
    return next;
  }

  private static final class PageLeaf implements Leaf {
    private final List<ListPage.Entry> entries = new ArrayList<>();
    private final List<String> prefixes = new ArrayList<>();
    private final Map<String, String> own = new HashMap<>();
    private final Map<String, String> object = new HashMap<>();

    @Override
    public void text(String around, String name, String text) {
      switch (around) {
        case "Contents" -> object.put(name, text);
        case "CommonPrefixes" -> prefixes.add(text);
        case "ListBucketResult" -> own.put(name, text);
        default -> {
          // The owner of an object, and what else engines add.
        }
      }
    }

    @Override
    public void end(String name) {
      if (name.equals("Contents")) {
        entries.add(
            new ListPage.Entry(
                object.getOrDefault("Key", ""),
                Long.parseLong(object.getOrDefault("Size", "").strip()),
                Instant.parse(object.getOrDefault("LastModified", "").strip()),
                object.getOrDefault("ETag", "").strip()));
        object.clear();
      }
    }

    ListPage page() {
      boolean escaped = own.getOrDefault("EncodingType", "").equals("url");
      return new ListPage(
          entries.stream().map(e -> e.named(key(e.key(), escaped))).toList(),
          prefixes.stream().map(p -> key(p, escaped)).toList(),
          next(own, "NextContinuationToken"));
    }

    private static String key(String text, boolean escaped) {
      String key = escaped ? S3Text.unescape(text) : text;
      if (key == null) {
        throw new IllegalArgumentException("a key that is escaped in a way that is none");
      }
      return key;
    }
  }

  /** Uploads under way, with the marks to go on from. */
  static UploadsPage uploads(byte[] document) throws S3Failure {
    List<UploadsPage.Upload> uploads = new ArrayList<>();
    Map<String, String> own = new HashMap<>();
    Map<String, String> upload = new HashMap<>();
    try {
      read(
          document,
          new Leaf() {
            @Override
            public void text(String around, String name, String text) {
              if (around.equals("Upload")) {
                upload.put(name, text);
              } else if (around.equals("ListMultipartUploadsResult")) {
                own.put(name, text);
              }
            }

            @Override
            public void end(String name) {
              if (name.equals("Upload")) {
                uploads.add(
                    new UploadsPage.Upload(
                        upload.getOrDefault("Key", ""),
                        upload.getOrDefault("UploadId", ""),
                        Instant.parse(upload.getOrDefault("Initiated", "").strip())));
                upload.clear();
              }
            }
          });
      String nextKey = next(own, "NextKeyMarker");
      return new UploadsPage(
          uploads, nextKey, nextKey.isEmpty() ? "" : own.getOrDefault("NextUploadIdMarker", ""));
    } catch (XMLStreamException | DateTimeException | IllegalArgumentException e) {
      throw malformed(e);
    }
  }

  /** Tags of an object. */
  static Map<String, String> tags(byte[] document) throws S3Failure {
    Map<String, String> tags = new TreeMap<>();
    String[] name = {""};
    try {
      read(
          document,
          (around, element, text) -> {
            if (around.equals("Tag") && element.equals("Key")) {
              name[0] = text;
            } else if (around.equals("Tag") && element.equals("Value")) {
              tags.put(name[0], text);
            }
          });
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
    return tags;
  }

  /** Keys that could not be removed, with the code of the reason; engines differ in their order. */
  static Map<String, String> notDeleted(byte[] document) throws S3Failure {
    Map<String, String> errors = new TreeMap<>();
    Map<String, String> error = new HashMap<>();
    try {
      read(
          document,
          new Leaf() {
            @Override
            public void text(String around, String name, String text) {
              if (around.equals("Error")) {
                error.put(name, text);
              }
            }

            @Override
            public void end(String name) {
              if (name.equals("Error")) {
                String code = error.getOrDefault("Code", "");
                if (!code.equals("NoSuchKey")) { // An attempt before has removed it.
                  errors.put(error.getOrDefault("Key", ""), code);
                }
                error.clear();
              }
            }
          });
    } catch (XMLStreamException e) {
      throw malformed(e);
    }
    if (errors.containsKey("")) {
      throw malformed(new IllegalArgumentException("something is not removed that has no key"));
    }
    return errors;
  }

  static ByteBuffer completion(List<String> etags) {
    StringBuilder out = new StringBuilder("<CompleteMultipartUpload" + SPACE + ">");
    for (int i = 0; i < etags.size(); i++) {
      out.append("<Part><PartNumber>").append(i + 1).append("</PartNumber><ETag>");
      XmlText.appendEscaped(out, etags.get(i));
      out.append("</ETag></Part>");
    }
    return bytes(out.append("</CompleteMultipartUpload>"));
  }

  /** Whether a document can tell that key: XML has not all characters (XML 1.0 section 2.2). */
  static boolean holds(String key) {
    return key.codePoints()
        .allMatch(c -> c >= ' ' && c < 0xfffe || c > 0xffff || c == '\t' || c == '\n' || c == '\r');
  }

  /**
   * A list of what is to be removed.
   *
   * @param keys that {@link #holds} has found to be told
   */
  static ByteBuffer deletion(List<String> keys) {
    StringBuilder out = new StringBuilder("<Delete" + SPACE + "><Quiet>true</Quiet>");
    for (String key : keys) {
      out.append("<Object><Key>");
      XmlText.appendEscaped(out, key);
      out.append("</Key></Object>");
    }
    return bytes(out.append("</Delete>"));
  }

  static ByteBuffer tagging(Map<String, String> tags) {
    StringBuilder out = new StringBuilder("<Tagging" + SPACE + "><TagSet>");
    tags.forEach(
        (name, value) -> {
          out.append("<Tag><Key>");
          XmlText.appendEscaped(out, name);
          out.append("</Key><Value>");
          XmlText.appendEscaped(out, value);
          out.append("</Value></Tag>");
        });
    return bytes(out.append("</TagSet></Tagging>"));
  }

  private static ByteBuffer bytes(CharSequence text) {
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
