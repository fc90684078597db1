package dev.staithe.authn.password;

import de.mkammerer.argon2.Argon2Advanced;
import de.mkammerer.argon2.Argon2Factory;
import dev.staithe.pki.Argon2id;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Argon2id by the native library where it can be loaded, which needs about half of the processor
 * time, else in Java. Thread-safe.
 */
enum Argon2 {
  /** The reference implementation in C, which the dependency carries for the usual platforms. */
  NATIVE {
    @Override
    byte[] derive(byte[] password, byte[] salt, Argon2Cost cost, int length) {
      Argon2Advanced library =
          LIBRARIES.computeIfAbsent(
              length,
              bytes -> Argon2Factory.createAdvanced(Argon2Factory.Argon2Types.ARGON2id, 16, bytes));
      return library.rawHash(
          cost.iterations(), cost.memoryKiB(), cost.parallelism(), password, salt);
    }
  },
  /** Bouncy Castle's. */
  JAVA {
    @Override
    byte[] derive(byte[] password, byte[] salt, Argon2Cost cost, int length) {
      return Argon2id.derive(
          password, salt, cost.memoryKiB(), cost.iterations(), cost.parallelism(), length);
    }
  };

  private static final ConcurrentHashMap<Integer, Argon2Advanced> LIBRARIES =
      new ConcurrentHashMap<>();

  /** The tag of a password. */
  abstract byte[] derive(byte[] password, byte[] salt, Argon2Cost cost, int length);

  /** The native one where it works here, proved by one small hash. */
  static Argon2 best() {
    byte[] password = {1, 2, 3};
    byte[] salt = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    Argon2Cost small = new Argon2Cost(8, 1, 1);
    try {
      boolean agrees =
          Arrays.equals(
              NATIVE.derive(password, salt, small, 32), JAVA.derive(password, salt, small, 32));
      return agrees ? NATIVE : JAVA;
    } catch (LinkageError | IllegalStateException cannotBeLoaded) {
      return JAVA;
    }
  }
}
