package dev.staithe.gateway.evidence;

import static dev.staithe.wss.evidence.EvidenceFolder.sha256;

import dev.staithe.pki.AtomicFile;
import dev.staithe.pki.HashChain;
import dev.staithe.pki.TrustAnchors;
import dev.staithe.service.log.AuditLog;
import dev.staithe.wss.Findings.SignedParts;
import dev.staithe.wss.Opening;
import dev.staithe.wss.evidence.EvidenceFolder;
import dev.staithe.wss.evidence.KeptMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * Keeps signed messages before the service behind sees them, so that nobody can say later that they
 * were not sent: {@link EvidenceFolder} says how they lie. Nothing is ever changed or taken out.
 * Thread-safe; one process writes a folder.
 */
public final class Evidence implements AutoCloseable {
  /** A century: what is kept is taken away by hand. */
  private static final int DAYS = 36_500;

  /**
   * What is kept of an endpoint.
   *
   * @param messages how many
   * @param last when the last of them came; null for none
   * @param counted whether those of former runs have been counted
   */
  public record Tally(long messages, @Nullable Instant last, boolean counted) {}

  /**
   * What messages are judged by, as each of them names it. Lists of a grid's authorities have some
   * megabytes, which are not hashed for each message.
   */
  private record Judges(
      @Nullable TrustAnchors anchors, List<String> authorities, List<String> revocations) {}

  /** How bytes that the system has get to the disk. */
  interface Disk {
    /** {@code fdatasync}, which takes the length of a file along. */
    Disk REAL = channel -> channel.force(false);

    void force(FileChannel channel) throws IOException;
  }

  private final Path folder;
  private final EvidenceTally tally;
  private final Supplier<@Nullable TrustAnchors> trust;
  private final Clock clock;
  private final Disk disk;
  private final AuditLog log;
  private final Set<String> objects = ConcurrentHashMap.newKeySet();
  private volatile Judges judges = new Judges(null, List.of(), List.of());
  private final Object forcing = new Object();
  private @Nullable FileChannel channel;
  private LocalDate day = LocalDate.MIN;
  private long end;
  private volatile long appended;
  private volatile long forced;

  /** Why nothing is kept any more, or null. */
  private volatile @Nullable String broken;

  /**
   * Opens a folder, and goes on with its chain.
   *
   * @param trust the authorities and revocation lists in force
   * @throws IOException with one line where it cannot be written, or another process does
   */
  public Evidence(Path folder, Supplier<@Nullable TrustAnchors> trust, Clock clock)
      throws IOException {
    this(folder, trust, clock, Disk.REAL);
  }

  Evidence(Path folder, Supplier<@Nullable TrustAnchors> trust, Clock clock, Disk disk)
      throws IOException {
    this.folder = folder;
    this.trust = trust;
    this.clock = clock;
    this.disk = disk;
    Files.createDirectories(folder.resolve(EvidenceFolder.OBJECTS));
    this.log = new AuditLog(folder.resolve(EvidenceFolder.LOG), DAYS, clock);
    this.tally = new EvidenceTally(folder, log.head().seq());
  }

  /**
   * Keeps a message, and comes back when it is on the disk.
   *
   * @param endpoint where it came
   * @param policy the document that it met
   * @throws UncheckedIOException where it is not: the message must not go on then
   */
  public void keep(String endpoint, byte[] policy, Opening.Opened opened) {
    SignedParts signature = opened.findings().signature();
    if (signature == null) {
      return;
    }
    try {
      // Before anything is written: clients come again, and each time it would lie there once more.
      requireWell();
      Judges judges = judges();
      var message =
          new KeptMessage(
              clock.instant().truncatedTo(ChronoUnit.MILLIS),
              endpoint,
              signature,
              judges.authorities(),
              judges.revocations(),
              object(policy, "xml"));
      byte[] encoded = message.encode();
      Place place = append(encoded);
      force(place.upTo());
      QName operation = opened.message().operation();
      log.line("message", "kept")
          .with("endpoint", endpoint)
          .with("subject", opened.caller().subject())
          .with("operation", operation == null ? null : operation.toString())
          .with("action", opened.message().addressing().action())
          .with("message", opened.message().addressing().messageId())
          .with("signed", String.join(" ", opened.findings().signed()))
          .with("file", place.file())
          .with("offset", place.offset())
          .with("length", encoded.length)
          .with("sha256", sha256(encoded))
          .writeDurably();
      tally.add(endpoint, message.at());
    } catch (GeneralSecurityException e) {
      throw new UncheckedIOException(new IOException("an authority cannot be written", e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Judges judges() throws GeneralSecurityException, IOException {
    TrustAnchors anchors = trust.get();
    Judges known = judges;
    if (known.anchors() == anchors) {
      return known;
    }
    List<String> authorities = new ArrayList<>();
    List<String> revocations = new ArrayList<>();
    if (anchors != null) {
      for (X509Certificate each : anchors.certificates()) {
        authorities.add(object(each.getEncoded(), "cer"));
      }
      for (X509CRL each : anchors.crls()) {
        revocations.add(object(each.getEncoded(), "crl"));
      }
    }
    Judges fresh = new Judges(anchors, authorities, revocations);
    judges = fresh;
    return fresh;
  }

  /** What is kept of an endpoint so far. */
  public Tally kept(String endpoint) {
    return tally.of(endpoint);
  }

  /** How many lines the log has, of all its days; messages are nearly all of them. */
  public long lines() {
    return log.head().seq();
  }

  /**
   * What is wrong with the end of the log and with the last message, one line; null where nothing
   * is. Cheap: the rest is not looked at.
   */
  public @Nullable String trouble() {
    if (broken != null) {
      return broken;
    }
    // A line that is written meanwhile is the new end.
    for (int i = 0; i < 3; i++) {
      HashChain.Head head = log.head();
      String trouble = EvidenceEnd.trouble(folder, head);
      if (trouble == null || log.head().equals(head)) {
        return trouble;
      }
    }
    return null;
  }

  /** Where a message stands; {@code upTo} counts over all files. */
  private record Place(String file, long offset, long upTo) {}

  private Place append(byte[] encoded) throws IOException {
    if (isOver()) {
      beginDay();
    }
    synchronized (this) {
      FileChannel open = channel;
      if (open == null) {
        throw new IOException("the file of the day cannot be opened");
      }
      // After half a message that a full disk left there is no line that names it.
      var buffer = ByteBuffer.wrap(encoded);
      long at = end;
      while (buffer.hasRemaining()) {
        at += open.write(buffer, at);
      }
      long offset = end;
      end = at;
      appended += encoded.length;
      return new Place(file(day), offset, appended);
    }
  }

  private static String file(LocalDate day) {
    return "messages-" + day + ".bin";
  }

  private LocalDate today() {
    return clock.instant().atOffset(ZoneOffset.UTC).toLocalDate();
  }

  private synchronized boolean isOver() {
    return channel == null || !today().equals(day);
  }

  /** Not while somebody waits for the disk: that would be in a file that is closed then. */
  private void beginDay() throws IOException {
    synchronized (forcing) {
      synchronized (this) {
        LocalDate today = today();
        FileChannel open = channel;
        if (open != null) {
          if (today.equals(day)) {
            return;
          }
          force(open);
          forced = appended;
          // Where the next one cannot be opened this one must not be taken for it, closed as it is.
          channel = null;
          open.close();
        }
        open =
            FileChannel.open(
                folder.resolve(file(today)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        end = open.size();
        channel = open;
        day = today;
      }
    }
  }

  /** One call of the system for all who wait. */
  private void force(long upTo) throws IOException {
    if (forced >= upTo) {
      return;
    }
    synchronized (forcing) {
      if (forced < upTo) {
        long now;
        FileChannel open;
        synchronized (this) {
          now = appended;
          open = channel;
        }
        if (open != null) {
          force(open);
        }
        forced = now;
      }
    }
  }

  private void requireWell() throws IOException {
    String why = broken;
    if (why != null) {
      throw new IOException(why);
    }
  }

  private void force(FileChannel open) throws IOException {
    requireWell();
    try {
      disk.force(open);
    } catch (IOException e) {
      // The system tells of pages that it could not write once, and then takes them for written.
      broken = "messages could not be brought to the disk: start the gateway again when it is well";
      throw e;
    }
  }

  /**
   * Writes what many messages share. Those that bring it at the same time each write it: none goes
   * on before it is there.
   */
  private String object(byte[] octets, String kind) throws IOException {
    String name = sha256(octets);
    if (!objects.contains(name)) {
      Path file = folder.resolve(EvidenceFolder.OBJECTS).resolve(name + "." + kind);
      if (!Files.exists(file)) {
        AtomicFile.write(file, octets, "rw-r--r--");
      }
      objects.add(name);
    }
    return name;
  }

  @Override
  public synchronized void close() {
    log.close();
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
