package dev.staithe.contracts;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.staithe.testkit.rules.HouseRules;

@AnalyzeClasses(packages = "dev.staithe", importOptions = DoNotIncludeTests.class)
final class HouseRulesTests {
  @ArchTest static final ArchTests RULES = ArchTests.in(HouseRules.class);
}
