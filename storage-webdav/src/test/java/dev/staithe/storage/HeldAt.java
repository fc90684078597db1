package dev.staithe.storage;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Stops a Java process, with all its threads, where it enters a method, so that a test can kill it
 * just there: no hook in the program, and no luck with times. The method gets a new beginning
 * ({@link StopAtEntry}) while the process runs. A breakpoint would do the same, but Java leaves the
 * cache of classes aside wherever it is started for a debugger, and each start takes much longer.
 */
final class HeldAt {
  private final long pid;

  private HeldAt(long pid) {
    this.pid = pid;
  }

  /** From now on the process stops where it enters the method. */
  static HeldAt entering(StorageProcess storage, String type, String method)
      throws IOException, InterruptedException {
    long pid = storage.process().pid();
    Path agent = agent();
    CompletableFuture<Void> loaded =
        CompletableFuture.runAsync(
            () -> load(agent, pid, type + " " + method),
            command -> Thread.ofPlatform().daemon().start(command));
    // A process that comes there at once stops before it has answered.
    while (!loaded.isDone() && !stands(pid)) {
      Thread.sleep(5); // of another process, which cannot signal
    }
    if (loaded.isDone()) {
      loaded.join();
    }
    return new HeldAt(pid);
  }

  /**
   * From now on whoever enters the method waits there, alone, until that file is gone; {@code
   * FILE.entered} is there from when the first one does.
   */
  static void waiting(StorageProcess storage, String type, String method, Path file)
      throws IOException {
    load(agent(), storage.process().pid(), type + " " + method + " " + file);
  }

  private static void load(Path agent, long pid, String where) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        machine.loadAgent(agent.toString(), where);
      } finally {
        machine.detach();
        Files.delete(agent);
      }
    } catch (AttachNotSupportedException
        | AgentLoadException
        | AgentInitializationException
        | IOException e) {
      throw new CompletionException(e);
    }
  }

  private static Path agent() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Agent-Class", StopAtEntry.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    Path agent = Files.createTempFile("stop-at-entry", ".jar");
    String file = StopAtEntry.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(agent), manifest);
        InputStream code = StopAtEntry.class.getResourceAsStream("/" + file)) {
      jar.putNextEntry(new JarEntry(file));
      code.transferTo(jar);
    }
    return agent;
  }

  /** Whether it has stopped there by then. */
  boolean held(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (!stands(pid)) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(5); // of another process, which cannot signal
    }
    return true;
  }

  /**
   * Lets the process go on, however often it comes there, until it has ended or the time is over.
   */
  void release(Duration within) throws IOException, InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    while (System.nanoTime() < end
        && ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
      new ProcessBuilder("kill", "-CONT", Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      Thread.sleep(20); // it stops itself, which signals nobody
    }
  }

  /** Whether every thread of the process is stopped, and so none is within a system call. */
  static boolean stands(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false; // a thread that ended meanwhile: look again
    }
  }
}
