package dev.staithe.storage;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.posix.PosixStore;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.tape.TapeService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what is behind areas whose files may be on tape, where there are any. */
@Configuration(proxyBeanMethods = false)
final class TapeConfiguration {
  /** The tape API, if there is one. */
  record Tape(@Nullable TapeService service) implements MeterBinder, AutoCloseable {
    /** What answers it. */
    List<DavHandler.Desk> desks() {
      return service == null ? List.of() : List.of(service.desk());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
      if (service != null) {
        service.bindTo(registry);
      }
    }

    @Override
    public void close() throws IOException {
      if (service != null) {
        service.close();
      }
    }
  }

  @Bean
  Tape tape(StorageProperties properties, Areas areas, Answers answers, Clock clock) {
    List<ServedArea> onTape =
        areas.all().stream()
            .filter(served -> served.area().store().residence() == Residence.TAPE)
            .toList();
    if (onTape.isEmpty()) {
      return new Tape(null);
    }
    return new Tape(
        started(
            "staithe.tape",
            () -> {
              for (ServedArea served : onTape) {
                requireTellingFiles(served);
              }
              return new TapeService(
                  properties.tape().settings(),
                  areas,
                  onTape.getFirst().area().store().state("tape"),
                  answers,
                  clock);
            }));
  }

  /** Without, a file that is on tape alone would be read as zeros. */
  private static void requireTellingFiles(ServedArea served) throws IOException {
    if (!(served.area().store() instanceof PosixStore store
        && store.holdsFolders()
        && store.keepsMetadata())) {
      throw new IOException(
          "area "
              + served.area().name()
              + " cannot be on tape: that needs openat2 and extended attributes");
    }
  }
}
