package dev.staithe.service;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Properties;

/**
 * The first class of a service's jar: starts the one that {@code staithe-service.properties} names,
 * or says in one line that this Java is too old for it. Compiled for Java 8, which reads it, and so
 * does each that came after.
 */
public final class Main {
  private static final String FILE = "META-INF/staithe-service.properties";

  /** Class files of Java 1.0 begin at 45. */
  private static final int BEFORE_FIRST = 44;

  private Main() {}

  /** {@code java -jar SERVICE.jar [--staithe.…=…]}. */
  public static void main(String[] args) throws Throwable {
    // What is formatted is read by programs: of some languages the digits are not 0 to 9.
    Locale.setDefault(Locale.ENGLISH);
    Properties said = new Properties();
    try (InputStream in = resource(FILE)) {
      said.load(in);
    }
    String application = said.getProperty("main", "none");
    try {
      Class.forName(application).getMethod("main", String[].class).invoke(null, (Object) args);
    } catch (UnsupportedClassVersionError e) {
      System.err.println(
          said.getProperty("name")
              + " did not start: it needs Java "
              + needed(application)
              + ", this is Java "
              + System.getProperty("java.version")
              + " in "
              + System.getProperty("java.home"));
      System.exit(2);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static int needed(String application) throws IOException {
    try (DataInputStream in =
        new DataInputStream(resource(application.replace('.', '/') + ".class"))) {
      in.readInt();
      in.readUnsignedShort();
      return in.readUnsignedShort() - BEFORE_FIRST;
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = Main.class.getClassLoader().getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the jar has no " + name);
    }
    return in;
  }
}
