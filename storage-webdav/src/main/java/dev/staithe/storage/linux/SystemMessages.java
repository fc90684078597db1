package dev.staithe.storage.linux;

import static dev.staithe.http.CFunction.impossible;

import dev.staithe.http.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The language in which the operating system tells its failures. */
public final class SystemMessages {
  private static final int LC_MESSAGES = 5;

  private static final @Nullable MethodHandle SETLOCALE =
      CFunction.find(
          "setlocale",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

  private SystemMessages() {}

  /**
   * Has it tell them in English from now on, whatever language this process was started in: Java
   * tells a full disk from one that fails by the text alone. For a process that has just begun.
   *
   * @return false where it cannot be asked
   */
  public static boolean inEnglish() {
    if (SETLOCALE == null) {
      return false;
    }
    try (var arena = Arena.ofConfined()) {
      MemorySegment set =
          (MemorySegment) SETLOCALE.invokeExact(LC_MESSAGES, arena.allocateFrom("C"));
      return set.address() != 0;
    } catch (Throwable e) {
      throw impossible(e);
    }
  }
}
