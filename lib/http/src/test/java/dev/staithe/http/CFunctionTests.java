package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

/** Functions of the C library of this machine. */
class CFunctionTests {
  private static final FunctionDescriptor NUMBER = FunctionDescriptor.of(ValueLayout.JAVA_INT);
  private static final int EBADF = 9;

  @Test
  void functionIsFoundAndCalled() throws Throwable {
    MethodHandle getpid = CFunction.find("getpid", NUMBER);

    assertThat((long) (int) CFunction.there(getpid).invokeExact())
        .isEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void functionThatNobodyHasIsNotThere() {
    MethodHandle none = CFunction.find("staithe_has_no_such_function", NUMBER);

    assertThat(none).isNull();
    assertThat(CFunction.areThere(CFunction.find("getpid", NUMBER), none)).isFalse();
    assertThat(CFunction.areThere(CFunction.find("getpid", NUMBER))).isTrue();
    assertThatThrownBy(() -> CFunction.there(none)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void errorOfACallIsItsOwn() throws Throwable {
    MethodHandle close =
        CFunction.find(
            "close",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
            CFunction.ERRNO);
    try (var arena = Arena.ofConfined()) {
      MemorySegment state = CFunction.state(arena);
      int result = (int) CFunction.there(close).invokeExact(state, -1);

      assertThat(result).isEqualTo(-1);
      assertThat(CFunction.errno(state)).isEqualTo(EBADF);
    }
  }
}
