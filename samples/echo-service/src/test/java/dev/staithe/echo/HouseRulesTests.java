package dev.staithe.echo;

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

  /** That is what this sample shows; its properties name the settings of the handlers only. */
  @ArchTest
  static final ArchRule METHODS_KNOW_NOTHING_OF_DELEGATION =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage("dev.staithe.echo..")
          .and()
          .doNotHaveSimpleName("EchoProperties")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.staithe.delegation..")
          .because("the handlers are put around the calls by settings");
}
