package dev.staithe.wss.stream;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Pool;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.xml.XmlRefused;
import java.security.GeneralSecurityException;

/**
 * Protects answers by the mechanism of their requests, whichever engine judged those: by every kind
 * of key, in every order that a policy can ask for. An answer that nothing is put on leaves as it
 * came, where it is an envelope of its request's SOAP. Thread-safe.
 */
public final class AnswerWriter {
  private static final int MOST_AT_REST = 64;

  private final Surroundings surroundings;
  private final Certificates certificates;
  private final Pool<Workspace> works = new Pool<>(MOST_AT_REST, Workspace::new);

  /** One that asks its surroundings for our key, for each answer. */
  public AnswerWriter(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.certificates = new Certificates(surroundings);
  }

  /** Protects one. */
  public Sealing protect(Departure departure) {
    Workspace work = works.take();
    try {
      return departure.reply().keys() instanceof Reply.Keys.None
              && !departure.expectation().policy().timestamp()
          ? checked(departure, work)
          : new MessageSealing(surroundings, certificates, departure, work).seal();
    } catch (UnsupportedShape | Rejected e) {
      return new Sealing.Failed(String.valueOf(e.getMessage()));
    } catch (XmlRefused e) {
      return new Sealing.Failed("an answer that cannot be read: " + e.reason());
    } catch (GeneralSecurityException e) {
      return new Sealing.Failed("an answer that cannot be protected");
    } finally {
      work.clear();
      works.give(work);
    }
  }

  private static Sealing checked(Departure departure, Workspace work)
      throws XmlRefused, Rejected, UnsupportedShape {
    EnvelopeScan scan = EnvelopeScan.whole(work, departure.envelope(), departure.expectation());
    return scan.version == departure.reply().version()
        ? Sealing.Sealed.unsigned(departure.envelope())
        : new Sealing.Failed("an envelope of the other version of SOAP");
  }
}
