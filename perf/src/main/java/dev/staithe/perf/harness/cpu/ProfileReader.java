package dev.staithe.perf.harness.cpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** Turns a recording of the JDK's flight recorder into folded stacks. */
public final class ProfileReader {
  /** By CPU time (JEP 509): the right one where it was recorded. */
  private static final String BY_CPU = "jdk.CPUTimeSample";

  private static final Set<String> BY_WALL =
      Set.of("jdk.ExecutionSample", "jdk.NativeMethodSample");

  /** Native methods in which a thread waits: the samples by wall time see it there all the time. */
  private static final Set<String> WAITING =
      Set.of(
          "sun.nio.ch.EPoll.wait",
          "sun.nio.ch.Net.poll",
          "sun.nio.ch.Net.accept",
          "sun.nio.ch.UnixDomainSockets.accept",
          "java.lang.ProcessHandleImpl.waitForProcessExit0",
          "java.lang.Object.wait0",
          "java.lang.Thread.sleepNanos0",
          "jdk.internal.misc.Unsafe.park",
          "java.lang.ref.Reference.waitForReferencePendingList");

  private ProfileReader() {}

  /**
   * Reads stacks to samples: by CPU time where the recording has such events, otherwise those of
   * running Java code and of native code that does not wait.
   *
   * @return frames separated by semicolons, outermost first, in the order of their names; empty
   *     where the recording has no samples
   * @throws IOException where the file is no recording
   */
  public static Map<String, Long> read(Path recording) throws IOException {
    var byCpu = new TreeMap<String, Long>();
    var byWall = new TreeMap<String, Long>();
    try (var file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        String type = event.getEventType().getName();
        if (type.equals(BY_CPU)) {
          add(byCpu, event);
        } else if (BY_WALL.contains(type)) {
          add(byWall, event);
        }
      }
    }
    return byCpu.isEmpty() ? byWall : byCpu;
  }

  private static void add(Map<String, Long> stacks, RecordedEvent event) {
    var trace = event.getStackTrace();
    if (trace == null || trace.getFrames().isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (RecordedFrame frame : trace.getFrames()) {
      names.add(name(frame.getMethod()));
    }
    if (WAITING.contains(names.getFirst()) && !event.getEventType().getName().equals(BY_CPU)) {
      return;
    }
    if (trace.isTruncated()) {
      names.add("[cut]");
    }
    Collections.reverse(names);
    stacks.merge(String.join(";", names), 1L, Long::sum);
  }

  private static String name(RecordedMethod method) {
    // Hidden classes have an address in their name, which would make each of them its own frame.
    return method.getType().getName().replaceAll("[/+]?0x[0-9a-f]+.*$", "")
        + "."
        + method.getName();
  }
}
