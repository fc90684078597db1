package dev.staithe.gateway.mime;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A body of several parts, written down as it is told: also wrongly. */
public final class XopPackage {
  /** Of a package of SOAP 1.1 whose boundary is {@code b} and whose root is {@code <root>}. */
  public static final String TYPE =
      "multipart/related; boundary=b; type=\"application/xop+xml\"; start=\"<root>\";"
          + " start-info=\"text/xml\"";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private XopPackage() {}

  /** Begins one with its envelope. */
  public static XopPackage of(byte[] envelope) {
    return of("application/xop+xml; charset=UTF-8; type=\"text/xml\"", envelope);
  }

  /** Begins one with an envelope of that type. */
  public static XopPackage of(String type, byte[] envelope) {
    return new XopPackage()
        .part(
            "Content-Type: "
                + type
                + "\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root>\r\n",
            envelope);
  }

  /** The same. */
  public static XopPackage of(String envelope) {
    return of(envelope.getBytes(StandardCharsets.UTF_8));
  }

  /** With a part more, of bytes as they are. */
  public XopPackage with(String id, byte[] content) {
    return part("Content-ID: <" + id + ">\r\nContent-Transfer-Encoding: binary\r\n", content);
  }

  /** With a part more, of any head. */
  public XopPackage part(String head, byte[] content) {
    text("--b\r\n" + head + "\r\n");
    out.writeBytes(content);
    text("\r\n");
    return this;
  }

  /** Its bytes so far, without an end. */
  public byte[] open() {
    return out.toByteArray();
  }

  /** Its bytes. */
  public byte[] closed() {
    text("--b--\r\n");
    return out.toByteArray();
  }

  private void text(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
