package dev.staithe.service.process;

import dev.staithe.http.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * How the system's scheduler treats a thread that works ahead or in the background. Java's own
 * thread priorities do nothing on Linux unless the process runs as root. Stateless.
 */
public enum ThreadPriority {
  /** Linux's SCHED_IDLE, see sched(7): gives way at once to whatever else wants the processor. */
  IDLE,
  /** The greatest nice value: a small share, and gives way to others after a moment. */
  LOW,
  /** As all other threads: on another system, or where the system forbids the call. */
  USUAL;

  private static final int SCHED_IDLE = 5;
  private static final int THIS_THREAD = 0;
  private static final int PRIO_PROCESS = 0;
  private static final int NICEST = 19;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MemoryLayout POINTER = ValueLayout.ADDRESS;

  /** Whether such a thread gives way to others. */
  public boolean isLowered() {
    return this != USUAL;
  }

  /**
   * Lowers the calling thread as far as it goes, for as long as it lives: to raise it again needs a
   * privilege.
   *
   * @return what it has now
   */
  public static ThreadPriority lowerThisThread() {
    MethodHandle scheduler =
        CFunction.find("sched_setscheduler", FunctionDescriptor.of(INT, INT, INT, POINTER));
    MethodHandle nice = CFunction.find("setpriority", FunctionDescriptor.of(INT, INT, INT, INT));
    try (Arena arena = Arena.ofConfined()) {
      // struct sched_param: the static priority alone, which is 0 for all but real-time classes.
      MemorySegment parameter = arena.allocate(INT);
      if (scheduler != null
          && (int) scheduler.invokeExact(THIS_THREAD, SCHED_IDLE, parameter) == 0) {
        return IDLE;
      }
      // On Linux a nice value is a thread's, whatever POSIX says: setpriority(2).
      if (nice != null && (int) nice.invokeExact(PRIO_PROCESS, THIS_THREAD, NICEST) == 0) {
        return LOW;
      }
      return USUAL;
    } catch (Throwable e) {
      throw CFunction.impossible(e);
    }
  }
}
