package dev.staithe.storage.operation;

import dev.staithe.service.log.RepeatedWarnings;
import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.checksum.RunningChecksum;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.NoDescriptorException;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StorageArea;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.settings.ScrubProperties;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Reads stored files again at a low rate and compares them with the checksums kept beside them. One
 * thread of its own goes through the areas, file after file; when a file was compared is kept
 * beside it, so that a restart begins nothing anew. A file that differs is named in the log,
 * counted, and left as it is: it may be all that there is of it.
 */
public final class Scrubber implements ApplicationListener<ApplicationReadyEvent>, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Scrubber.class);
  private static final Duration BETWEEN_PASSES = Duration.ofHours(1);
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  /** A look at a name counts as much as reading so many bytes: folders are not raced through. */
  private static final int LOOK = 4096;

  private static final int PIECE = 256 << 10;

  private final List<Pass> passes;
  private final ScrubProperties settings;
  private final MeterRegistry registry;
  private final Clock clock;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().name("scrubber").daemon().unstarted(this::work);
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
  private long dueNanos;

  /** One that begins when the server is ready. */
  public Scrubber(
      List<ServedArea> areas, ScrubProperties settings, MeterRegistry registry, Clock clock) {
    this.settings = settings;
    this.registry = registry;
    this.clock = clock;
    this.passes = areas.stream().map(served -> new Pass(served.area())).toList();
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    if (settings.rate().toBytes() > 0) {
      thread.start();
    }
  }

  private void work() {
    do {
      passes.forEach(Pass::run);
    } while (!endsWithin(BETWEEN_PASSES.toNanos()));
  }

  /** Waits so long; whether the server ends meanwhile. */
  private boolean endsWithin(long nanos) {
    try {
      return ending.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Waits until so many bytes may have been read; whether the server ends meanwhile. */
  private boolean endsAfterReading(int bytes) {
    long now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - TimeUnit.SECONDS.toNanos(1));
    dueNanos += (long) (1e9 * bytes / settings.rate().toBytes());
    return endsWithin(dueNanos - now);
  }

  /** The way through an area, again and again. */
  private final class Pass {
    private final String area;
    private final FileStore store;

    /** Files that differed when the area was last gone through. */
    private final AtomicInteger damaged = new AtomicInteger();

    private int differing;

    Pass(StorageArea area) {
      this.area = area.name();
      this.store = area.store();
      Gauge.builder("staithe.scrub.damaged", damaged, AtomicInteger::get)
          .tag("area", this.area)
          .description("Files of which the last pass read other bytes than were stored")
          .register(registry);
    }

    /** Goes through it once; what was found before counts until it is over. */
    void run() {
      differing = 0;
      if (store.keepsMetadata() && store.stagesInPlace() && through(StoragePath.root())) {
        damaged.set(differing);
      }
    }

    /** Goes through a collection; false where the server ends. */
    boolean through(StoragePath collection) {
      try {
        if (store.list(collection) instanceof Outcome.Done<Listing>(Listing members)) {
          try (members) {
            for (FileEntry member = members.next(); member != null; member = members.next()) {
              if (endsAfterReading(LOOK) || !at(member)) {
                return false;
              }
            }
          }
        }
      } catch (IOException e) {
        log.warn("area {}: {} cannot be listed: {}", area, collection, e.toString());
      }
      return true;
    }

    private boolean at(FileEntry member) {
      if (member.isLink()) {
        return true; // what it leads to is met at its own place
      }
      if (member.collection()) {
        return through(member.path());
      }
      return store.compared(member).filter(this::isLately).isPresent() || compare(member.path());
    }

    /** What a clock that was ahead has written is of no use: that time is still to come. */
    private boolean isLately(Instant when) {
      Instant now = clock.instant();
      return !when.isAfter(now) && when.plus(settings.every()).isAfter(now);
    }

    private boolean compare(StoragePath path) {
      try {
        if (!(store.open(path) instanceof Outcome.Done<OpenFile>(OpenFile file))) {
          return true; // gone meanwhile
        }
        try (file) {
          Optional<Checksum> kept = strongest(file);
          if (kept.isEmpty()) {
            return true; // nothing was stored that could be compared
          }
          Optional<Checksum> read = read(file, kept.get().algorithm());
          if (read.isEmpty()) {
            return false;
          }
          judge(file.entry(), kept.get(), read.get());
        }
      } catch (IOException e) {
        if (NoSpaceException.tell(e) instanceof NoDescriptorException) {
          // Which says nothing of the file: it is read in the next pass.
          log.warn("area {}: files are not compared while no descriptor is free", area);
          return true;
        }
        log.error(
            RepeatedWarnings.EACH, "area {}: {} cannot be read: {}", area, path, e.toString());
        foundOneMore();
        count("unreadable");
      }
      return true;
    }

    private static Optional<Checksum> strongest(OpenFile file) {
      return List.of(ChecksumAlgorithm.values()).reversed().stream()
          .flatMap(algorithm -> file.kept(algorithm).stream())
          .findFirst();
    }

    private Optional<Checksum> read(OpenFile file, ChecksumAlgorithm algorithm) throws IOException {
      RunningChecksum sum = RunningChecksum.of(algorithm);
      long at = 0;
      while (true) {
        int n = file.read(buffer.clear(), at);
        if (n <= 0) {
          return Optional.of(sum.finish());
        }
        sum.update(buffer.flip());
        at += n;
        Counter.builder("staithe.scrub.bytes").tag("area", area).register(registry).increment(n);
        if (endsAfterReading(n)) {
          return Optional.empty();
        }
      }
    }

    private void judge(FileEntry file, Checksum kept, Checksum read) throws IOException {
      if (kept.equals(read)) {
        store.keepCompared(file, clock.instant());
        count("same");
      } else if (store.find(file.path()).filter(f -> f.etag().equals(file.etag())).isPresent()) {
        log.error(
            RepeatedWarnings.EACH,
            "area {}: {} is not what was stored: {} was {} and is {}",
            area,
            file.path(),
            kept.algorithm().rfc3230Name(),
            kept.hex(),
            read.hex());
        foundOneMore();
        count("differs");
      } // else it was changed while it was read
    }

    private void foundOneMore() {
      differing++;
      damaged.accumulateAndGet(differing, Math::max);
    }

    private void count(String outcome) {
      Counter.builder("staithe.scrub.files")
          .tags("area", area, "outcome", outcome)
          .register(registry)
          .increment();
    }
  }

  @Override
  public void close() {
    ending.countDown();
    try {
      if (thread.isAlive() && !thread.join(LONGEST_END)) {
        log.warn("the device does not answer the scrubber; it is left alone");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
