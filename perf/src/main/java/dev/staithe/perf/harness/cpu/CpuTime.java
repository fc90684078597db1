package dev.staithe.perf.harness.cpu;

import java.util.Set;
import java.util.function.DoubleSupplier;

/** CPU seconds so far, since an arbitrary beginning. */
public interface CpuTime extends DoubleSupplier {
  /**
   * CPU seconds so far of just-in-time compilers within it; a thread of theirs that has ended is in
   * it no more. Nothing where there are none, or where that is not known.
   */
  default double compiling() {
    return 0;
  }

  /** Together with what something else takes. */
  default CpuTime and(CpuTime other) {
    CpuTime own = this;
    return new CpuTime() {
      @Override
      public double getAsDouble() {
        return own.getAsDouble() + other.getAsDouble();
      }

      @Override
      public double compiling() {
        return own.compiling() + other.compiling();
      }
    };
  }

  /** That of processes with their descendants. */
  static CpuTime of(Set<Long> processes) {
    return new CpuTime() {
      @Override
      public double getAsDouble() {
        return CpuClock.ofTrees(processes);
      }

      @Override
      public double compiling() {
        // HotSpot's names, as far as the kernel keeps them.
        return CpuClock.ofThreads(processes, "C1 CompilerThre")
            + CpuClock.ofThreads(processes, "C2 CompilerThre");
      }
    };
  }
}
