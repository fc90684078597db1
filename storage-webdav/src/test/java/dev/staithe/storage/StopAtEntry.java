package dev.staithe.storage;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * What {@link HeldAt} loads into a running process: whoever enters a method from then on first runs
 * a program, and waits for it: {@code kill -STOP} of this process, or one that ends when a file is
 * gone. All of it is one class, as no other goes into the agent's jar.
 */
public final class StopAtEntry implements ClassFileTransformer, CodeTransform {
  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.ProcessBuilder");
  private static final ClassDesc PROCESS = ClassDesc.of("java.lang.Process");
  private static final String GATE = ": >\"$0.entered\"; while [ -e \"$0\" ]; do sleep 0.05; done";

  private final String type;
  private final String method;
  private final String[] program;
  private boolean found;

  private StopAtEntry(String type, String method, String... program) {
    this.type = type;
    this.method = method;
    this.program = program;
  }

  /**
   * Called by Java in the process that is to be stopped.
   *
   * @param where the class' name, the method's, and perhaps the file that one thread waits to be
   *     gone, and beside which it makes {@code FILE.entered}; spaces between them
   */
  public static void agentmain(String where, Instrumentation instrumentation)
      throws UnmodifiableClassException {
    String[] parts = where.split(" ", 3);
    String self = Long.toString(ProcessHandle.current().pid());
    StopAtEntry stop =
        parts.length == 2
            ? new StopAtEntry(parts[0], parts[1], "kill", "-STOP", self)
            : new StopAtEntry(parts[0], parts[1], "sh", "-c", GATE, parts[2]);
    instrumentation.addTransformer(stop, true);
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(stop.type)) {
        instrumentation.retransformClasses(loaded);
        if (!stop.found) {
          throw new IllegalStateException("there is no " + where);
        }
      }
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] code) {
    if (!type.replace('.', '/').equals(name)) {
      return null;
    }
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(code),
        ClassTransform.transformingMethodBodies(
            each -> each.methodName().equalsString(method), this));
  }

  @Override
  public void atStart(CodeBuilder code) {
    code.new_(BUILDER).dup().loadConstant(program.length).anewarray(ConstantDescs.CD_String);
    for (int i = 0; i < program.length; i++) {
      code.dup().loadConstant(i).loadConstant(program[i]).aastore();
    }
    code.invokespecial(
            BUILDER,
            ConstantDescs.INIT_NAME,
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType()))
        .invokevirtual(BUILDER, "start", MethodTypeDesc.of(PROCESS))
        .invokevirtual(PROCESS, "waitFor", MethodTypeDesc.of(ConstantDescs.CD_int))
        .pop();
    found = true;
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    code.with(element);
  }
}
