package dev.staithe.storage.tpc;

import dev.staithe.http.HttpFailure;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.contracts.Contracts;
import dev.staithe.storage.contracts.PullContract;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.Consent;
import dev.staithe.storage.files.FileChangedException;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.LateChecksumException;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.ReadOnlyException;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.StoreAwayException;
import dev.staithe.storage.locks.Locking;
import dev.staithe.storage.remote.ActingAs;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.dao.DataAccessException;

/**
 * One copy, on its own thread: its context in logs, its way by a remote server or here, and its end
 * as a result that is logged, counted and told.
 */
final class CopyWork implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(CopyWork.class);

  /**
   * What every copy here works with.
   *
   * @param own this server where it is the passive party too
   * @param locking what writing here must respect
   * @param contracts of the areas here
   * @param observer told once of each copy that was admitted, on the copy's thread
   */
  record Tools(
      RemoteClient client,
      OwnServer own,
      Locking locking,
      Contracts contracts,
      Consumer<FinishedCopy> observer,
      Clock clock) {}

  private final Tools tools;
  private final Exchange exchange;
  private final FileStore store;
  private final StoragePath path;
  private final String area;
  private final String requestId;
  private final String caller;
  private final CopyRequest copy;
  private final Consent consent;
  private final @Nullable ActingAs as;
  private final Set<ChecksumAlgorithm> checksums;
  private final CopyProgress progress;
  private final Consumer<CopyResult> ended;
  private final long began = System.nanoTime();

  /**
   * Prepares the copy of a request that was admitted.
   *
   * @param progress where it is watched and cancelled
   * @param ended told how it ended, before its client is
   */
  CopyWork(
      Tools tools,
      Exchange exchange,
      CopyRequest copy,
      CopyAdmission.Granted granted,
      CopyProgress progress,
      Consumer<CopyResult> ended) {
    this.tools = tools;
    this.exchange = exchange;
    this.store = exchange.area().store();
    this.path = exchange.path();
    this.area = exchange.area().name();
    this.requestId = exchange.requestId();
    this.caller = exchange.caller().label();
    this.copy = copy;
    this.consent = granted.consent();
    this.as = granted.as();
    this.checksums = exchange.options().checksums();
    this.progress = progress;
    this.ended = ended;
  }

  @Override
  public void run() {
    inItsContext(
        () -> {
          CopyResult result = new CopyResult.Failed("internal error", 500);
          try {
            log.info("copy started: {} {} by {}", path, copy.remote(), caller);
            result = perform();
          } catch (RuntimeException e) {
            log.error("copy failed by a defect", e);
          } finally {
            end(result);
          }
        });
  }

  /** Ends a copy whose turn never came. */
  void drop(String why) {
    inItsContext(() -> end(new CopyResult.Aborted(why)));
  }

  private void inItsContext(Runnable action) {
    Map<String, String> before = MDC.getCopyOfContextMap();
    MDC.put("request", requestId);
    MDC.put("client", copy.clientInfo());
    MDC.put("direction", copy.direction().label());
    MDC.put("remote", copy.remote().hostPort());
    MDC.put("area", area);
    try {
      action.run();
    } finally {
      MDC.setContextMap(before == null ? Map.of() : before);
    }
  }

  private CopyResult perform() {
    if (as != null && !as.notAfter().isAfter(tools.clock().instant())) {
      return new CopyResult.Failed("the delegated proxy ended while the copy waited", 0);
    }
    CopyResult result;
    try {
      progress.refuseIfCancelled();
      requireWhatIsWanted(!copy.own());
      result =
          copy.own()
              ? new OwnCopy(copy, tools.own(), exchange, consent, tools.locking(), progress).run()
              : withRemote();
    } catch (HttpFailure | RemoteFailure failure) {
      result =
          new CopyResult.Failed(
              String.valueOf(failure.getMessage()), RemoteFailure.status(failure));
    } catch (NoSpaceException full) {
      result = new CopyResult.Failed("No space left: " + full.getMessage(), 507);
    } catch (ReadOnlyException unchanging) {
      log.error("request {}: {}", requestId, unchanging.getMessage());
      result = new CopyResult.Failed(Refusal.READ_ONLY.text(), 503);
    } catch (AccessRefusedException denied) {
      log.warn(
          "request {}: {}",
          requestId,
          denied.getCause() == null ? denied.getMessage() : denied.getCause().getMessage());
      result = new CopyResult.Failed(String.valueOf(denied.getMessage()), 403);
    } catch (FileChangedException changed) {
      result = new CopyResult.Failed(String.valueOf(changed.getMessage()), 409);
    } catch (LateChecksumException late) {
      result = new CopyResult.Failed(String.valueOf(late.getMessage()), 501);
    } catch (SharedStateException away) {
      log.warn("request {}: {}", requestId, away.getMessage());
      result = new CopyResult.Failed(String.valueOf(away.getMessage()), 503);
    } catch (StoreAwayException away) {
      log.warn("request {}: {}", requestId, String.valueOf(away.getCause()));
      result = new CopyResult.Failed(String.valueOf(away.getMessage()), 503);
    } catch (DataAccessException away) {
      log.warn("request {}: {}", requestId, away.getMessage());
      result = new CopyResult.Failed(Contracts.AWAY, 503);
    } catch (IOException e) {
      result = failed(e, requestId);
    }
    String cancelled = progress.cancelled();
    return cancelled != null && result instanceof CopyResult.Failed
        ? new CopyResult.Aborted(cancelled)
        : result;
  }

  /** By what the storage failed where it says no more; that no descriptor is left passes. */
  static CopyResult.Failed failed(IOException failure, String requestId) {
    if (NoSpaceException.tell(failure) instanceof NoDescriptorException) {
      log.warn("request {}: {}", requestId, failure.getMessage());
      return new CopyResult.Failed("the server has too many files and connections open", 503);
    }
    log.warn("storage failed during a copy", failure);
    return new CopyResult.Failed("the storage failed here, see request " + requestId, 500);
  }

  private CopyResult withRemote() throws IOException {
    try (RemoteSession session =
        new RemoteSession(tools.client(), progress, copy.remote(), copy.forwarded(), as)) {
      CopyResult result =
          switch (copy.direction()) {
            case PULL -> pull(session);
            case PUSH -> push(session);
          };
      if (result instanceof CopyResult.Copied) {
        session.rest();
      }
      return result;
    }
  }

  private CopyResult pull(RemoteSession session) throws IOException {
    Optional<PullContract> contract =
        tools.contracts().pull(area, path.toString(), copy.requireContract());
    requireWhatIsWanted(contract.isPresent());
    try {
      return new Pull(copy, caller, store, path, consent, checksums, session, contract.orElse(null))
          .run();
    } finally {
      contract.flatMap(PullContract::id).ifPresent(this::tellAccessLog);
    }
  }

  private CopyResult push(RemoteSession session) throws IOException {
    Optional<ContractedPush> contract =
        tools
            .contracts()
            .push(area, path.toString(), copy.requireContract())
            .map(one -> new ContractedPush(one, session, copy.remote()));
    requireWhatIsWanted(contract.isPresent());
    try {
      return new Push(copy, caller, store, path, session, contract.orElse(null)).run();
    } finally {
      contract.flatMap(ContractedPush::id).ifPresent(this::tellAccessLog);
    }
  }

  private void requireWhatIsWanted(boolean contracts) throws RemoteFailure {
    if (copy.requireContract() && !contracts) {
      throw new RemoteFailure("RequireContract is set, and there are no contracts here", 403);
    }
  }

  private void tellAccessLog(String contract) {
    exchange.request().setAttribute(DavHandler.CONTRACT, contract);
  }

  private void end(CopyResult result) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
    long bytes = progress.bytes();
    double seconds = Math.max(elapsed.toNanos(), 1) / 1e9;
    log.atInfo()
        .addKeyValue("outcome", result.outcome())
        .addKeyValue("bytes", bytes)
        .addKeyValue("seconds", String.format(Locale.ROOT, "%.3f", seconds))
        .addKeyValue(
            "megabytesPerSecond", String.format(Locale.ROOT, "%.1f", bytes / seconds / 1e6))
        .addKeyValue(
            "checksum",
            result instanceof CopyResult.Copied copied ? copied.checksum().toString() : "none")
        .log("copy ended: {}", result.reason() == null ? "success" : result.reason());
    try {
      tools
          .observer()
          .accept(
              new FinishedCopy(area, copy.direction().label(), result.outcome(), bytes, elapsed));
    } finally {
      // Last, so that who reads the final line finds log and metrics written.
      ended.accept(result);
      progress.finish(result);
    }
  }
}
