package dev.staithe.pki.seal;

import dev.staithe.pki.PemException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Finds the slot of a token by its label: Java's own provider knows numbers only, and those change
 * when a token is made anew or moved. Speaks the few calls of PKCS#11 2.40 §5.4 and §5.5 that this
 * takes, on systems where the C type {@code long} has 64 bits.
 */
final class Pkcs11Slots {
  private static final long OK = 0;
  private static final long ALREADY_INITIALIZED = 0x191;

  /** Places in CK_FUNCTION_LIST, behind the version, which is padded to one pointer. */
  private static final int C_INITIALIZE = 0;

  private static final int C_FINALIZE = 1;
  private static final int C_GET_SLOT_LIST = 4;
  private static final int C_GET_TOKEN_INFO = 6;

  private static final int LABEL_BYTES = 32;

  /** CK_TOKEN_INFO has 208 bytes; a library with a longer one would have another version. */
  private static final int TOKEN_INFO_BYTES = 512;

  /** More slots than this are a mistake in the library. */
  private static final int MOST_SLOTS = 4096;

  private final Linker linker = Linker.nativeLinker();
  private final MemorySegment functions;

  private Pkcs11Slots(MemorySegment functions) {
    this.functions = functions;
  }

  /** The number of the token's slot. */
  static long find(Pkcs11Token token) throws PemException {
    return switch (token.slot()) {
      case Pkcs11Token.Slot.Number number -> number.number();
      case Pkcs11Token.Slot.Label label -> find(token, label.text());
    };
  }

  // One at a time: initializing and finalizing are of the whole process.
  @SuppressWarnings("restricted")
  private static synchronized long find(Pkcs11Token token, String label) throws PemException {
    try (var arena = Arena.ofConfined()) {
      // Never unloaded: the provider uses the same library afterwards.
      var entry =
          SymbolLookup.libraryLookup(token.library(), Arena.global())
              .find("C_GetFunctionList")
              .orElseThrow(() -> new PemException(token.library() + " is no PKCS#11 library"));
      var pointer = arena.allocate(ValueLayout.ADDRESS);
      long answer =
          (long)
              Linker.nativeLinker()
                  .downcallHandle(
                      entry, FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS))
                  .invokeExact(pointer);
      if (answer != OK) {
        throw new PemException(token.library() + " does not start: CKR " + answer);
      }
      var list = pointer.get(ValueLayout.ADDRESS, 0).reinterpret(8L * (C_GET_TOKEN_INFO + 2));
      return new Pkcs11Slots(list).search(token, label, arena);
    } catch (PemException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new PemException(token.library() + " cannot be loaded", e);
    } catch (Throwable e) {
      throw new IllegalStateException("a call of PKCS#11 failed", e);
    }
  }

  private long search(Pkcs11Token token, String label, Arena arena) throws Throwable {
    long started = call(C_INITIALIZE, MemorySegment.NULL);
    if (started != OK && started != ALREADY_INITIALIZED) {
      throw new PemException(token.library() + " does not start: CKR " + started);
    }
    try {
      var count = arena.allocate(ValueLayout.JAVA_LONG);
      require(token, listSlots(MemorySegment.NULL, count));
      long slots = Math.min(MOST_SLOTS, count.get(ValueLayout.JAVA_LONG, 0));
      var numbers = arena.allocate(MemoryLayout.sequenceLayout(slots, ValueLayout.JAVA_LONG));
      count.set(ValueLayout.JAVA_LONG, 0, slots);
      require(token, listSlots(numbers, count));
      var info = arena.allocate(TOKEN_INFO_BYTES, 8);
      for (long i = 0; i < count.get(ValueLayout.JAVA_LONG, 0); i++) {
        long slot = numbers.getAtIndex(ValueLayout.JAVA_LONG, i);
        // A token that is not initialized answers with an error and has no label.
        if (tokenInfo(slot, info) == OK && labelOf(info).equals(label)) {
          return slot;
        }
      }
      throw new PemException(token.library() + " has no token with the label \"" + label + "\"");
    } finally {
      if (started == OK) {
        // The provider starts it again in its own way, for many threads.
        call(C_FINALIZE, MemorySegment.NULL);
      }
    }
  }

  private static void require(Pkcs11Token token, long answer) throws PemException {
    if (answer != OK) {
      throw new PemException(token.library() + " does not list its tokens: CKR " + answer);
    }
  }

  private static String labelOf(MemorySegment info) {
    byte[] padded = info.asSlice(0, LABEL_BYTES).toArray(ValueLayout.JAVA_BYTE);
    return new String(padded, StandardCharsets.UTF_8).stripTrailing();
  }

  @SuppressWarnings("restricted")
  private long call(int function, MemorySegment argument) throws Throwable {
    return (long)
        linker
            .downcallHandle(
                pointer(function),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS))
            .invokeExact(argument);
  }

  @SuppressWarnings("restricted")
  private long listSlots(MemorySegment numbers, MemorySegment count) throws Throwable {
    byte withToken = 1;
    return (long)
        linker
            .downcallHandle(
                pointer(C_GET_SLOT_LIST),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_BYTE,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS))
            .invokeExact(withToken, numbers, count);
  }

  @SuppressWarnings("restricted")
  private long tokenInfo(long slot, MemorySegment info) throws Throwable {
    return (long)
        linker
            .downcallHandle(
                pointer(C_GET_TOKEN_INFO),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS))
            .invokeExact(slot, info);
  }

  private MemorySegment pointer(int function) {
    return functions.get(ValueLayout.ADDRESS, 8L + 8L * function);
  }
}
