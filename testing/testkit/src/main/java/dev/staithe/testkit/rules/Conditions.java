package dev.staithe.testkit.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/** Conditions on classes, for rules that read "no class should …". */
final class Conditions {
  private Conditions() {}

  static ArchCondition<JavaClass> of(String description, Predicate<JavaClass> holds) {
    return new ArchCondition<>(description) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        events.add(
            new SimpleConditionEvent(
                type,
                holds.test(type),
                type.getFullName() + " in " + type.getSourceCodeLocation()));
      }
    };
  }
}
