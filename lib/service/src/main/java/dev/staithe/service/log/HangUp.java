package dev.staithe.service.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.slf4j.LoggerFactory;

/**
 * What a service does when it is told to hang up (SIGHUP): it goes on, and opens each of its log
 * files again under the configured name, as those who rotate logs expect. Without this the signal
 * would end the process. Safe for many threads.
 */
public final class HangUp {
  private static final org.slf4j.Logger log = LoggerFactory.getLogger(HangUp.class);

  /** A file beside Logback's. */
  interface Reopened {
    /** Opens it again under its name; where that fails the file before stays in use. */
    void reopen() throws IOException;
  }

  /** Those of all services in this process, which is one but in tests. */
  private static final Set<Reopened> FILES = new CopyOnWriteArraySet<>();

  private HangUp() {}

  /** Opens that one too from now on. */
  static void also(Reopened file) {
    FILES.add(file);
  }

  /** Forgets about it. */
  static void noLonger(Reopened file) {
    FILES.remove(file);
  }

  /** From now on the signal does that; where a process started to ignore it, it stays ignored. */
  public static void install() {
    try {
      // By name: the compiler would warn of these two, which every JDK has and which have no other.
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object reopens =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, given) -> {
                if (method.getName().equals("handle")) {
                  reopen();
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), reopens);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      log.warn("SIGHUP is not listened to: {}", e.toString());
    }
  }

  /** Opens all files again. */
  public static void reopen() {
    int opened = 0;
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      for (Logger each : context.getLoggerList()) {
        Iterator<Appender<ILoggingEvent>> appenders = each.iteratorForAppenders();
        while (appenders.hasNext()) {
          if (appenders.next() instanceof FileAppender<?> file) {
            opened += opened(() -> file.openFile(file.getFile()));
          }
        }
      }
    }
    for (Reopened file : FILES) {
      opened += opened(file);
    }
    log.info("told to hang up: {} log files opened again", opened);
  }

  private static int opened(Reopened file) {
    try {
      file.reopen();
      return 1;
    } catch (IOException | RuntimeException e) {
      log.error("a log file cannot be opened again, the one before stays in use: {}", e.toString());
      return 0;
    }
  }
}
