package dev.staithe.storage.objects;

import dev.staithe.http.HttpFailure;
import dev.staithe.s3.S3Failure;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;

/** What an engine's failure is to callers, who are told no address, key or cause. */
final class EngineTrouble {
  private static final String AWAY =
      "the object store that keeps this area does not do its work at present";

  private EngineTrouble() {}

  /** Something that asks the engine. */
  @FunctionalInterface
  interface Ask<T> {
    T run() throws IOException;
  }

  /** Does it, and tells its failure as the port has it. */
  static <T> T told(Ask<T> ask) throws IOException {
    try {
      return ask.run();
    } catch (IOException failure) {
      throw told(failure);
    }
  }

  /** The failure as the port has it. */
  static IOException told(IOException failure) {
    return switch (failure) {
      case S3Failure full when full.kind() == S3Failure.Kind.FULL -> new NoSpaceException(full);
      case S3Failure engine -> new StoreAwayException(AWAY, engine);
      case HttpFailure busy -> new StoreAwayException(AWAY, busy);
      default -> failure;
    };
  }
}
