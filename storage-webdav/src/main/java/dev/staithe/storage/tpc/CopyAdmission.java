package dev.staithe.storage.tpc;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.FileInTheWay;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.locks.WriteConsent;
import dev.staithe.storage.remote.ActingAs;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.CopySettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a copy may be made at all, told before anybody is contacted: the caller's right, what the
 * storage area and its locks say, and as whom the copy acts. Safe for use by many threads.
 *
 * @param own this server where it is the passive party too
 * @param locking what writing here must respect
 * @param contracts of the areas here
 * @param delegated for copies with {@code Credential: gridsite}
 */
record CopyAdmission(
    CopySettings settings,
    OwnServer own,
    Locking locking,
    Contracts contracts,
    DelegatedCredentials delegated) {
  private static final Logger log = LoggerFactory.getLogger(CopyAdmission.class);

  /** What dCache puts into the query of the URL to come again to. */
  private static final String ASKED = "asked-to-delegate=true";

  /**
   * What a copy was given.
   *
   * @param consent asked before a file is replaced here
   * @param as whose proxy the remote server sees; null: none
   */
  record Granted(Consent consent, @Nullable ActingAs as) {}

  /**
   * Whether the copy may be made; where not, the answer is on its way.
   *
   * @throws IOException where the storage fails, or the answer cannot be written
   */
  Optional<Granted> judge(Exchange exchange, CopyRequest copy) throws IOException {
    if (copy.delegated() && !delegated.offered()) {
      exchange.refuse(400, "Credential must be none: delegation is not offered here");
      return Optional.empty();
    }
    if (exchange.caller() instanceof Caller.Anonymous) {
      exchange.deny(new Admission.Refused(true, "third-party copy needs a credential"));
      return Optional.empty();
    }
    Admission admission =
        switch (copy.direction()) {
          case PULL -> exchange.admissionToWrite(exchange.path());
          case PUSH -> exchange.admission(exchange.path(), Right.READ);
        };
    if (!exchange.admitted(admission)) {
      return Optional.empty();
    }
    if (leavesWithoutContract(exchange, copy)) {
      exchange.refuse(403, "files of this area leave by contract only, which is with another host");
      return Optional.empty();
    }
    if (exchange.hasContent()) {
      exchange.refuse(415, "COPY takes no body");
      return Optional.empty();
    }
    if (copy.own() && OwnCopy.ontoItself(copy, own, exchange)) {
      // RFC 4918 section 9.8.5.
      exchange.refuse(403, "source and destination are the same file");
      return Optional.empty();
    }
    Optional<CopyResult.Failed> obstacle = obstacle(exchange, copy);
    if (obstacle.isPresent()) {
      if (obstacle.get().status() == 412) {
        FileInTheWay.tell(exchange);
      }
      exchange.refuse(obstacle.get().status(), obstacle.get().line());
      return Optional.empty();
    }
    WriteConsent consent = WriteConsent.of(exchange, locking, copy.overwrite());
    if (copy.direction() == CopyRequest.Direction.PULL) {
      if (!Locking.wellFormed(exchange)) {
        return Optional.empty();
      }
      Optional<Outcome.Refused<FileStore.Replace>> refused = consent.obstacle();
      if (refused.isPresent()) {
        if (Exchange.statusOf(refused.get().why()) == 412) {
          FileInTheWay.tell(exchange);
        }
        exchange.refuse(refused.get());
        return Optional.empty();
      }
    }
    return acting(exchange, copy, consent);
  }

  /** Contracts are with other hosts; what stays in the area needs none. */
  private boolean leavesWithoutContract(Exchange exchange, CopyRequest copy) {
    if (!copy.own()) {
      return false;
    }
    String here = exchange.area().name();
    String there =
        own.place(copy.remote())
            .map(Areas.Place::area)
            .map(served -> served.area().name())
            .orElse("");
    String from = copy.direction() == CopyRequest.Direction.PUSH ? here : there;
    return !here.equals(there) && contracts.required(from);
  }

  /** What the storage area itself says against the copy, before anybody is contacted. */
  private static Optional<CopyResult.Failed> obstacle(Exchange exchange, CopyRequest copy)
      throws IOException {
    StoragePath path = exchange.path();
    Optional<FileEntry> there = exchange.area().store().find(path);
    boolean collection = path.collectionForm() || there.map(FileEntry::collection).orElse(false);
    return switch (copy.direction()) {
      case PULL ->
          collection
              ? Optional.of(new CopyResult.Failed("a collection cannot be pulled onto", 409))
              : there.isPresent() && !copy.overwrite()
                  ? Optional.of(new CopyResult.Failed("File exists and Overwrite is F", 412))
                  : Optional.empty();
      case PUSH ->
          there.isEmpty()
              ? Optional.of(new CopyResult.Failed("No such file or directory", 404))
              : collection
                  ? Optional.of(
                      new CopyResult.Failed("a collection cannot be pushed, only files", 400))
                  : Optional.empty();
    };
  }

  private Optional<Granted> acting(Exchange exchange, CopyRequest copy, Consent consent)
      throws IOException {
    if (!copy.delegated()) {
      return Optional.of(new Granted(consent, null));
    }
    if (!(exchange.caller() instanceof CertificateCaller caller)) {
      exchange.refuse(
          400, "Credential: gridsite needs a client certificate, whose owner delegated");
      return Optional.empty();
    }
    switch (delegated.acquire(caller)) {
      case DelegatedCredentials.Asked.Granted(ActingAs as) -> {
        return Optional.of(new Granted(consent, as));
      }
      case DelegatedCredentials.Asked.Missing(String line) -> askToDelegate(exchange, line);
      case DelegatedCredentials.Asked.Refused(int status, String line) -> {
        log.warn("no proxy of {} for a copy: {}", caller.label(), line);
        if (status == 503) {
          exchange
              .response()
              .getHeaders()
              .put(HttpHeader.RETRY_AFTER, settings.limits().retryAfter().toSeconds());
        }
        exchange.refuse(status, line);
      }
    }
    return Optional.empty();
  }

  /**
   * Sends the client to delegate and then to come again, as dCache does; one that comes again
   * without having delegated is not sent round in circles.
   */
  private void askToDelegate(Exchange exchange, String line) throws IOException {
    HttpURI uri = exchange.request().getHttpURI();
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    exchange.response().getHeaders().put("X-Delegate-To", delegated.delegateTo());
    if (List.of(query.split("&", -1)).contains(ASKED)) {
      exchange.deny(new Admission.Refused(true, line));
      return;
    }
    exchange
        .response()
        .getHeaders()
        .put(
            HttpHeader.LOCATION,
            HttpURI.build(uri).query(query.isEmpty() ? ASKED : query + "&" + ASKED).asString());
    exchange.refuse(302, line + ": delegate at " + delegated.delegateTo() + " and come again");
  }
}
