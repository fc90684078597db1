package dev.staithe.storage;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds a Java process where it enters a method, by the debugger's interface, so that a test can
 * kill it just there: no hook in the program, and no luck with times.
 */
final class HeldAt implements AutoCloseable {
  private final VirtualMachine machine;
  private final CountDownLatch held = new CountDownLatch(1);

  private HeldAt(VirtualMachine machine) {
    this.machine = machine;
  }

  /** The option of Java that lets one attach. */
  static String option(int port) {
    return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:"
        + port;
  }

  /** From now on the process stops, with all its threads, where it enters the method. */
  static HeldAt entering(int port, String type, String method) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    var arguments = connector.defaultArguments();
    set(arguments.get("hostname"), "127.0.0.1");
    set(arguments.get("port"), String.valueOf(port));
    try {
      HeldAt held = new HeldAt(connector.attach(arguments));
      held.arm(type, method);
      Thread.ofVirtual().start(() -> held.listen(method));
      return held;
    } catch (IllegalConnectorArgumentsException e) {
      throw new IOException(e);
    }
  }

  private static void set(Connector.Argument argument, String value) {
    argument.setValue(value);
  }

  private void arm(String type, String method) {
    ClassPrepareRequest loaded = machine.eventRequestManager().createClassPrepareRequest();
    loaded.addClassFilter(type);
    loaded.enable();
    machine.classesByName(type).forEach(each -> stop(each, method));
  }

  private void stop(ReferenceType type, String method) {
    if (type.methodsByName(method).isEmpty()) {
      throw new IllegalStateException("there is no " + type.name() + "." + method);
    }
    for (Method each : type.methodsByName(method)) {
      try {
        BreakpointRequest request =
            machine
                .eventRequestManager()
                .createBreakpointRequest(each.allLineLocations().getFirst());
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
      } catch (AbsentInformationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void listen(String method) {
    try {
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          if (event instanceof BreakpointEvent) {
            held.countDown();
            return;
          }
          if (event instanceof ClassPrepareEvent prepared) {
            stop(prepared.referenceType(), method);
          }
        }
        events.resume();
      }
    } catch (InterruptedException | VMDisconnectedException over) {
      // The process was killed.
    }
  }

  /** Whether it has stopped there by then. */
  boolean held(long millis) throws InterruptedException {
    return held.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Lets go of a process that is gone. */
  @Override
  public void close() {
    try {
      machine.dispose();
    } catch (VMDisconnectedException gone) {
      // As it should be.
    }
  }
}
