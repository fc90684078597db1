package dev.staithe.testkit.rules;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvent;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/** No call of, and no reference to, a method that reads the machine's clock by itself. */
final class AskNoWallClock extends ArchCondition<JavaClass> {
  static final AskNoWallClock INSTANCE = new AskNoWallClock();

  private static final Set<String> NOW =
      Set.of(
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalTime",
          "java.time.LocalDateTime",
          "java.time.OffsetDateTime",
          "java.time.ZonedDateTime",
          "java.time.Year");

  private AskNoWallClock() {
    super("not read the machine's clock");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    Stream.concat(
            Stream.concat(
                type.getMethodCallsFromSelf().stream(),
                type.getMethodReferencesFromSelf().stream()),
            Stream.concat(
                type.getConstructorCallsFromSelf().stream(),
                type.getConstructorReferencesFromSelf().stream()))
        .filter(access -> readsClock(access.getTarget()))
        .forEach(access -> events.add(violated(access)));
  }

  private static ConditionEvent violated(JavaCodeUnitAccess<?> access) {
    return SimpleConditionEvent.violated(access, access.getDescription());
  }

  private static boolean readsClock(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getFullName();
    boolean noArguments = target.getRawParameterTypes().isEmpty();
    return switch (target.getName()) {
      // now(ZoneId) reads the machine's clock as well; only now(Clock) does not.
      case "now" ->
          NOW.contains(owner)
              && target.getRawParameterTypes().stream()
                  .noneMatch(type -> type.getFullName().equals("java.time.Clock"));
      case "currentTimeMillis" -> owner.equals("java.lang.System");
      case "system", "systemUTC", "systemDefaultZone", "tickMillis", "tickSeconds" ->
          owner.equals("java.time.Clock") || owner.equals("java.time.InstantSource");
      case "<init>" -> owner.equals("java.util.Date") && noArguments;
      case "getInstance" -> owner.equals("java.util.Calendar");
      default -> false;
    };
  }
}
