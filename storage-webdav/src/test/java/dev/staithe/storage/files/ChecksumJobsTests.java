package dev.staithe.storage.files;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What is over the wire is in {@code ChecksumsOnDemandTests}. */
class ChecksumJobsTests {
  private static final FileEntry FILE =
      new FileEntry(
          StoragePath.of("/file"), false, 1, Instant.EPOCH, Instant.EPOCH, "\"1\"", new Anywhere());

  /** A place of which nothing is asked. */
  private record Anywhere() implements FileEntry.Place {
    @Override
    public boolean hasOtherNames() {
      return false;
    }

    @Override
    public boolean isSameFile(FileEntry.Place other) {
      return false;
    }

    @Override
    public boolean isLink() {
      return false;
    }
  }

  /** A store of a machine that has no direct memory left, which Java tells by an Error. */
  private static FileStore withoutMemory() {
    return (FileStore)
        Proxy.newProxyInstance(
            FileStore.class.getClassLoader(),
            new Class<?>[] {FileStore.class},
            (store, method, arguments) -> {
              if (method.getName().equals("hashCode")) {
                return 1;
              }
              throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            });
  }

  @Test
  void errorEndsTheWaitOfWhoAsked() {
    ChecksumJobs jobs = new ChecksumJobs(new ChecksumJobs.Limits(1, 0));
    FileStore store = withoutMemory();
    // Two looks a second, of one who would wait for two minutes.
    AtomicInteger looks = new AtomicInteger();
    BooleanSupplier gone = () -> looks.incrementAndGet() > 240;
    assertThatThrownBy(() -> jobs.compute(store, FILE, ChecksumAlgorithm.ADLER32, "alice", gone))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
  }
}
