package dev.staithe.s3;

import java.time.Duration;

/**
 * How patient a client is with an engine.
 *
 * @param connect for a connection and its TLS handshake
 * @param answer until an answer begins; completions and copies get ten times as long
 * @param stall without any byte while data is due
 * @param attempts of one request, 1 or more
 * @param pause before the second attempt, twice as long before each further one
 * @param connections open at once, 1 or more
 */
public record S3Settings(
    Duration connect,
    Duration answer,
    Duration stall,
    int attempts,
    Duration pause,
    int connections) {
  /** Some seconds for all that should be there at once, half a minute for what works. */
  public static final S3Settings DEFAULT =
      new S3Settings(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          4,
          Duration.ofMillis(200),
          256);

  /** Checks the ranges. */
  public S3Settings {
    if (attempts < 1 || connections < 1) {
      throw new IllegalArgumentException("attempts and connections are positive");
    }
    for (Duration each : new Duration[] {connect, answer, stall, pause}) {
      if (each.isNegative() || each.isZero()) {
        throw new IllegalArgumentException("times of an object store are positive");
      }
    }
  }
}
