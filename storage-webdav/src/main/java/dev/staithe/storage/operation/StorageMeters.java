package dev.staithe.storage.operation;

import dev.staithe.storage.dav.ResumableUploads;
import dev.staithe.storage.dav.SmallGet;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.issuers.TokenDoor;
import dev.staithe.storage.locks.Locking;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operator wants to be told of before clients tell: room, locks and open uploads of each
 * area, tokens that were refused, the end of the host certificate. Looked at when it is asked for.
 *
 * @param areas those that are served
 * @param notAfter the end of the host certificate, null where there is none
 */
public record StorageMeters(
    List<ServedArea> areas,
    Locking locking,
    ResumableUploads uploads,
    TokenDoor tokens,
    SmallGet smallGets,
    Supplier<@Nullable Instant> notAfter,
    Clock clock)
    implements MeterBinder {
  @Override
  public void bindTo(MeterRegistry registry) {
    for (ServedArea served : areas) {
      String area = served.area().name();
      FileStore store = served.area().store();
      gauge(registry, "staithe.area.free.bytes", area, () -> store.room().available());
      gauge(registry, "staithe.area.announced.bytes", area, () -> store.room().announced());
      gauge(registry, "staithe.area.staged.bytes", area, () -> store.room().staged());
      gauge(registry, "staithe.area.staged.one.bytes", area, () -> store.room().stagedByOne());
      gauge(registry, "staithe.area.used.bytes", area, () -> store.room().used());
      gauge(registry, "staithe.area.total.bytes", area, () -> store.room().total());
      gauge(registry, "staithe.area.files", area, () -> store.room().files());
      gauge(registry, "staithe.locks", area, () -> locking.count(area));
      gauge(registry, "staithe.uploads.open", area, () -> uploads.open(area));
    }
    for (String issuer : tokens.issuers()) {
      FunctionCounter.builder("staithe.tokens.refused", tokens, door -> door.refused(issuer))
          .tag("issuer", issuer)
          .register(registry);
    }
    FunctionCounter.builder("staithe.gets.at.once", smallGets, SmallGet::answered)
        .register(registry);
    FunctionCounter.builder("staithe.tokens.refused", tokens, door -> door.refused(""))
        .tag("issuer", "none of those trusted")
        .register(registry);
    if (notAfter.get() != null) {
      TimeGauge.builder("staithe.certificate.ends", this::left, TimeUnit.SECONDS)
          .register(registry);
    }
  }

  private double left() {
    Instant end = notAfter.get();
    return end == null ? Double.NaN : Duration.between(clock.instant(), end).toSeconds();
  }

  /** Something that a look at the file system may tell. */
  private interface Look {
    double value() throws IOException;
  }

  private static void gauge(MeterRegistry registry, String name, String area, Look look) {
    Gauge.builder(
            name,
            () -> {
              try {
                return look.value();
              } catch (IOException unknown) {
                return Double.NaN;
              }
            })
        .tag("area", area)
        .register(registry);
  }
}
