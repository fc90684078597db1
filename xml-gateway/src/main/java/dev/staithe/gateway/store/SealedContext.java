package dev.staithe.gateway.store;

import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.wss.Caller;
import dev.staithe.wss.SecurityContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A context as bytes that only gateways with the master key can read, and only under its own
 * identifier: who can write to the store can make no context of another's, nor swap two. Stateless.
 */
final class SealedContext {
  private static final int FORMAT = 1;
  private static final int ANONYMOUS = 0;
  private static final int CERTIFICATE = 1;
  private static final int USERNAME = 2;
  private static final int TOKEN = 3;

  private SealedContext() {}

  private static String row(String identifier) {
    return "gateway context " + identifier;
  }

  /** Another one: what has no secret must never pass for a context that has an empty one. */
  private static String rowOfRest(String identifier) {
    return "rest of gateway context " + identifier;
  }

  /**
   * Seals it.
   *
   * @return null where it has been cancelled
   */
  static byte @Nullable [] seal(SecurityContext context, MasterKeys keys) {
    byte[] secret = context.secret();
    return secret == null ? null : seal(context, secret, row(context.identifier()), keys);
  }

  /** Seals what is left of it for those who renew it when it has ended: all but its secret. */
  static byte[] sealRest(SecurityContext context, MasterKeys keys) {
    return seal(context, new byte[0], rowOfRest(context.identifier()), keys);
  }

  private static byte[] seal(SecurityContext context, byte[] secret, String row, MasterKeys keys) {
    byte[] plain = null;
    try {
      plain = write(context, secret);
      return keys.seal(row, plain);
    } catch (IOException | CertificateException e) {
      throw new IllegalStateException("a context cannot be written", e);
    } finally {
      Arrays.fill(secret, (byte) 0);
      if (plain != null) {
        Arrays.fill(plain, (byte) 0);
      }
    }
  }

  /**
   * Opens it.
   *
   * @throws StoreUnavailable where it is none of ours
   */
  static SecurityContext open(String identifier, byte[] sealed, MasterKeys keys)
      throws StoreUnavailable {
    return open(identifier, sealed, row(identifier), keys);
  }

  /** Opens what is left of one, which has no secret. */
  static SecurityContext openRest(String identifier, byte[] sealed, MasterKeys keys)
      throws StoreUnavailable {
    return open(identifier, sealed, rowOfRest(identifier), keys).withoutSecret();
  }

  private static SecurityContext open(String identifier, byte[] sealed, String row, MasterKeys keys)
      throws StoreUnavailable {
    return switch (keys.open(row, sealed)) {
      case MasterKeys.Opening.Unreadable(String line) -> throw new StoreUnavailable(line);
      case MasterKeys.Opening.Opened(byte[] plain) -> {
        try {
          yield read(identifier, plain);
        } catch (IOException | CertificateException e) {
          throw new StoreUnavailable("a context in the store is of another version", e);
        } finally {
          Arrays.fill(plain, (byte) 0);
        }
      }
    };
  }

  private static byte[] write(SecurityContext context, byte[] secret)
      throws IOException, CertificateException {
    var wiped = new Wiped();
    var out = new DataOutputStream(wiped);
    out.writeByte(FORMAT);
    out.writeBoolean(context.instance() != null);
    if (context.instance() != null) {
      out.writeUTF(context.instance());
    }
    out.writeUTF(context.namespace());
    out.writeUTF(context.endpoint());
    out.writeUTF(context.policyVersion());
    out.writeLong(context.created().toEpochMilli());
    out.writeLong(context.expires().toEpochMilli());
    switch (context.owner()) {
      case Caller.Anonymous anonymous -> out.writeByte(ANONYMOUS);
      case Caller.Certificate certificate -> {
        out.writeByte(CERTIFICATE);
        out.writeUTF(certificate.subject());
        out.writeByte(certificate.chain().size());
        for (X509Certificate each : certificate.chain()) {
          byte[] der = each.getEncoded();
          out.writeInt(der.length);
          out.write(der);
        }
      }
      case Caller.Username username -> {
        out.writeByte(USERNAME);
        out.writeUTF(username.subject());
      }
      case Caller.Token token -> {
        out.writeByte(TOKEN);
        out.writeUTF(token.subject());
      }
    }
    out.writeByte(secret.length);
    out.write(secret);
    byte[] plain = wiped.toByteArray();
    wiped.wipe();
    return plain;
  }

  /** Its buffer holds the secret for a moment. */
  private static final class Wiped extends ByteArrayOutputStream {
    Wiped() {
      super(8192); // rarely grows, which would leave a copy behind
    }

    void wipe() {
      Arrays.fill(buf, (byte) 0);
    }
  }

  private static SecurityContext read(String identifier, byte[] plain)
      throws IOException, CertificateException {
    var in = new DataInputStream(new ByteArrayInputStream(plain));
    if (in.readByte() != FORMAT) {
      throw new IOException("another format");
    }
    String instance = in.readBoolean() ? in.readUTF() : null;
    String namespace = in.readUTF();
    String endpoint = in.readUTF();
    String policyVersion = in.readUTF();
    Instant created = Instant.ofEpochMilli(in.readLong());
    Instant expires = Instant.ofEpochMilli(in.readLong());
    Caller owner = owner(in);
    byte[] secret = in.readNBytes(in.readUnsignedByte());
    return new SecurityContext(
        identifier, instance, namespace, endpoint, policyVersion, owner, created, expires, secret);
  }

  private static Caller owner(DataInputStream in) throws IOException, CertificateException {
    return switch (in.readByte()) {
      case ANONYMOUS -> new Caller.Anonymous();
      case CERTIFICATE -> {
        String subject = in.readUTF();
        int count = in.readUnsignedByte();
        List<X509Certificate> chain = new ArrayList<>(count);
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        for (int i = 0; i < count; i++) {
          chain.add(
              (X509Certificate)
                  factory.generateCertificate(
                      new ByteArrayInputStream(in.readNBytes(in.readInt()))));
        }
        yield new Caller.Certificate(subject, chain);
      }
      case USERNAME -> new Caller.Username(in.readUTF());
      case TOKEN -> new Caller.Token(in.readUTF());
      default -> throw new IOException("another kind of owner");
    };
  }
}
