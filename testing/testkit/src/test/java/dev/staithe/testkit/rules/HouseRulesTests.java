package dev.staithe.testkit.rules;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The shared modules cannot depend on testkit, so their rules are checked here. */
@AnalyzeClasses(packages = "dev.staithe", importOptions = DoNotIncludeTests.class)
final class HouseRulesTests {
  @ArchTest static final ArchTests RULES = ArchTests.in(HouseRules.class);
}
