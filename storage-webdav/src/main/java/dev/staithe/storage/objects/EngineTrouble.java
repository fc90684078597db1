package dev.staithe.storage.objects;

import dev.staithe.http.HttpFailure;
import dev.staithe.s3.S3Failure;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.StoreAwayException;
import java.io.IOException;
import java.util.Optional;

/** What an engine's failure is to callers, who are told no address, key or cause. */
public final class EngineTrouble {
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

  /** In which way the engine that is behind a failure fails, without its address or name. */
  public static Optional<String> of(IOException told) {
    return told.getCause() instanceof S3Failure failure
        ? Optional.of(
            switch (failure.kind()) {
              case UNREACHABLE -> "does not answer";
              case BUSY -> "asks for patience";
              case FAILED -> "fails";
              case DENIED -> "does not accept the credentials, or they do not do";
              case CLOCK -> "its clock and this machine's differ too much";
              case NO_BUCKET -> "has no such bucket";
              case CORRUPTED -> "receives other bytes than are sent";
              case FULL -> "has no room left";
              case REFUSED -> "refuses";
              case MALFORMED -> "does not answer as an object store does";
            })
        : Optional.empty();
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
