package dev.staithe.wss.stream;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Tag;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlScanner;
import org.jspecify.annotations.Nullable;

/** An {@code xenc:EncryptedData} as it is written (XML Encryption 1.0 section 3.4). */
final class EncryptedScan {
  @Nullable String id;
  String algorithm = "";
  @Nullable KeyName key;
  byte[] value = new byte[0];

  /** Reads the one that just started. */
  void read(Workspace work) throws XmlRefused, UnsupportedShape {
    XmlScanner scanner = work.scanner;
    Tag tag = scanner.tag();
    id = tag.identifier(scanner.scope());
    if (!SecurityScan.attribute(tag, Names.TYPE).equals(Namespaces.XENC + "Content")) {
      throw new UnsupportedShape("encrypted data of another type");
    }
    if (!EnvelopeScan.child(scanner) || !scanner.is(Names.XENC, Names.ENCRYPTION_METHOD)) {
      throw new UnsupportedShape("encrypted data without a method");
    }
    algorithm = SecurityScan.attribute(scanner.tag(), Names.ALGORITHM);
    if (EnvelopeScan.child(scanner)) {
      throw new UnsupportedShape("parameters of encryption");
    }
    while (EnvelopeScan.child(scanner)) {
      if (scanner.is(Names.DS, Names.KEY_INFO) && key == null && value.length == 0) {
        key = KeyName.read(work);
      } else if (scanner.is(Names.XENC, Names.CIPHER_DATA) && value.length == 0) {
        value = SecurityScan.cipherValue(work);
      } else {
        throw new UnsupportedShape("encrypted data of another shape");
      }
    }
    if (value.length == 0) {
      throw new UnsupportedShape("encrypted data that is empty");
    }
  }
}
