package dev.staithe.delegation;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.staithe.testkit.rules.HouseRules;

@AnalyzeClasses(packages = "dev.staithe", importOptions = DoNotIncludeTests.class)
final class HouseRulesTests {
  @ArchTest static final ArchTests RULES = ArchTests.in(HouseRules.class);

  /** The command uses the clients and has no Spring. */
  @ArchTest
  static final ArchRule CLIENTS_KNOW_NEITHER_SPRING_NOR_THE_HANDLERS =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage("dev.staithe.delegation.client..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework..", "jakarta..", "dev.staithe.delegation.handlers..")
          .because("put it into dev.staithe.delegation.handlers");
}
