package dev.staithe.storage.tape;

import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.files.AreaState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.time.Clock;

/** The tape API with all that is behind it, from start to end. Safe for use by many threads. */
public final class TapeService implements MeterBinder, AutoCloseable {
  private final StageRequests requests;
  private final DavHandler.Desk desk;

  /**
   * Goes on with what an earlier run has kept.
   *
   * @param folder where requests are kept
   * @throws IOException where it cannot be used
   */
  public TapeService(
      TapeSettings settings, Areas areas, AreaState folder, Answers answers, Clock clock)
      throws IOException {
    TapeFiles files = new TapeFiles(areas);
    MassStorage storage = new MassStorage(settings);
    this.requests = new StageRequests(settings, storage, files, folder, clock);
    this.desk =
        new TapeDesk(
            settings, files, requests, new ArchiveInfo(storage, settings.running()), answers);
  }

  /** The API. */
  public DavHandler.Desk desk() {
    return desk;
  }

  /** What an operator wants to see: drives that are busy, a queue that grows, recalls that fail. */
  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("staithe.tape.recalls.running", requests, StageRequests::running)
        .register(registry);
    Gauge.builder("staithe.tape.recalls.waiting", requests, StageRequests::waiting)
        .register(registry);
    Gauge.builder("staithe.tape.pinned", requests, StageRequests::pinned).register(registry);
    FunctionCounter.builder("staithe.tape.failed", requests, StageRequests::failed)
        .register(registry);
  }

  /** Ends the commands under way; their requests go on after the next start. */
  @Override
  public void close() throws IOException {
    requests.close();
  }
}
