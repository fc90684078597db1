package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Conditions;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/** PROPPATCH (RFC 4918 section 9.2): all changes or none. */
public final class ProppatchMethod implements DavMethod {
  private static final int LONGEST_BODY = 64 * 1024;

  private final Locking locking;

  /** Respects these locks. */
  public ProppatchMethod(Locking locking) {
    this.locking = locking;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    if (!exchange.admitted(exchange.path(), Right.MODIFY)) {
      return;
    }
    byte[] body = exchange.readAll(LONGEST_BODY);
    if (body == null) {
      exchange.refuse(413, "the request body is longer than " + LONGEST_BODY + " bytes");
      return;
    }
    List<RequestXml.Change> changes;
    switch (RequestXml.propertyUpdate(body)) {
      case RequestXml.Read.Malformed<List<RequestXml.Change>> malformed -> {
        exchange.refuse(400, malformed.reason());
        return;
      }
      case RequestXml.Read.Good<List<RequestXml.Change>> good -> changes = good.value();
    }
    if (!Locking.wellFormed(exchange)) {
      return;
    }
    // In one step, or of two requests at once one would undo the other.
    Outcome<Changed> changed =
        exchange.area().store().holding(exchange.path(), () -> change(exchange, changes));
    switch (changed) {
      case Outcome.Refused<Changed> refused -> exchange.refuse(refused);
      case Outcome.Done<Changed> done ->
          answer(exchange, done.value().file(), changes, done.value().status());
    }
  }

  /** What was changed, and the status of each property that could be. */
  private record Changed(FileEntry file, int status) {}

  private Outcome<Changed> change(Exchange exchange, List<RequestXml.Change> changes)
      throws IOException {
    Optional<FileEntry> found = exchange.area().store().find(exchange.path());
    if (found.isEmpty() || exchange.path().collectionForm() && !found.get().collection()) {
      return new Outcome.Refused<>(Refusal.NOT_FOUND, Refusal.NOT_FOUND.text());
    }
    if (Conditions.judge(exchange.request().getHeaders(), found, false) != Conditions.Verdict.MET) {
      return new Outcome.Refused<>(Refusal.CONDITION_FAILED, Refusal.CONDITION_FAILED.text());
    }
    Optional<Outcome.Refused<FileStore.Replace>> obstacle =
        locking.obstacle(Locking.Asker.of(exchange), exchange.path(), Locking.Change.CONTENT);
    if (obstacle.isPresent()) {
      return obstacle.get().as();
    }
    boolean readOnly = changes.stream().anyMatch(c -> LiveProperty.of(c.name()) != null);
    return new Outcome.Done<>(
        new Changed(found.get(), readOnly ? 424 : keep(exchange, found.get(), changes)));
  }

  private static int keep(Exchange exchange, FileEntry file, List<RequestXml.Change> changes)
      throws IOException {
    DeadProperties properties = DeadProperties.read(exchange.area().store().properties(file));
    for (RequestXml.Change change : changes) {
      if (change.element() == null) {
        properties.remove(change.name());
      } else {
        properties.set(change.name(), change.element());
      }
    }
    return switch (exchange.area().store().keepProperties(file, properties.text())) {
      case Outcome.Done<Boolean> done -> 200;
      case Outcome.Refused<Boolean> refused -> Exchange.statusOf(refused.why());
    };
  }

  /** One propstat a property; where a live one was to be changed, it is 403 and the rest 424. */
  private static void answer(
      Exchange exchange, FileEntry file, List<RequestXml.Change> changes, int status)
      throws IOException {
    exchange.response().setStatus(207);
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
    XmlOut out = new XmlOut(exchange);
    out.markup("<D:multistatus xmlns:D=\"DAV:\"><D:response><D:href>")
        .text(exchange.href(file.path()))
        .markup("</D:href>");
    for (RequestXml.Change change : changes) {
      boolean live = LiveProperty.of(change.name()) != null;
      out.markup("<D:propstat><D:prop>");
      PropfindMethod.emptyElement(out, change.name());
      out.markup("</D:prop><D:status>")
          .markup(statusLine(live ? 403 : status))
          .markup("</D:status>");
      if (live) {
        out.markup("<D:error><D:cannot-modify-protected-property/></D:error>");
      }
      out.markup("</D:propstat>");
    }
    out.markup("</D:response></D:multistatus>\n").end();
  }

  static String statusLine(int status) {
    return "HTTP/1.1 " + status + " " + HttpStatus.getMessage(status);
  }
}
