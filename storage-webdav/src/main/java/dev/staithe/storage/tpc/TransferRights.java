package dev.staithe.storage.tpc;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Asked;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.exchange.ServedArea;
import java.net.InetAddress;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who sees which copies and may end them: administrators all; others those that they asked for
 * themselves, as far as the credential at hand reaches, and those that write where they may modify.
 * Safe for use by many threads.
 */
public final class TransferRights {
  /** What the rights of a copy are judged as. */
  private static final String METHOD = "COPY";

  private final Map<String, ServedArea> areas;
  private final Predicate<Caller> administrators;

  /** Judges by the rules of the areas. */
  public TransferRights(Areas areas, Predicate<Caller> administrators) {
    this.areas =
        areas.all().stream()
            .collect(Collectors.toUnmodifiableMap(each -> each.area().name(), Function.identity()));
    this.administrators = administrators;
  }

  /** Whether the caller may know of the copy. */
  boolean sees(Caller caller, @Nullable InetAddress from, Transfer.About about) {
    return mayCancel(caller, from, about)
        || isOwn(caller, about)
            && (holds(caller, from, about.here(), Right.READ)
                || holds(caller, from, about.here(), Right.STAT));
  }

  /** Whether the caller may end the copy. */
  boolean mayCancel(Caller caller, @Nullable InetAddress from, Transfer.About about) {
    if (caller instanceof Caller.Anonymous) {
      return false;
    }
    return administrators.test(caller)
        || isOwn(caller, about) && couldAsk(caller, from, about)
        || about.destination() != null && holds(caller, from, about.destination(), Right.MODIFY);
  }

  private static boolean isOwn(Caller caller, Transfer.About about) {
    return !(caller instanceof Caller.Anonymous) && caller.label().equals(about.caller());
  }

  /** Whether the credential has at this end what the copy took. */
  private boolean couldAsk(Caller caller, @Nullable InetAddress from, Transfer.About about) {
    return switch (about.direction()) {
      case PULL ->
          holds(caller, from, about.here(), Right.MODIFY)
              || holds(caller, from, about.here(), Right.CREATE);
      case PUSH -> holds(caller, from, about.here(), Right.READ);
    };
  }

  private boolean holds(Caller caller, @Nullable InetAddress from, Transfer.End end, Right right) {
    ServedArea area = areas.get(end.area());
    return area != null
        && area.rule().decide(new Asked(caller, from, METHOD), end.path(), right)
            instanceof Admission.Allowed;
  }
}
