package dev.staithe.service.process;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The direct memory of this process. */
public final class DirectMemory {
  private DirectMemory() {}

  /** Bytes that it may take: {@code -XX:MaxDirectMemorySize} or, without it, as the heap. */
  public static long limit() {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long set = Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
    return set > 0 ? set : Runtime.getRuntime().maxMemory();
  }
}
