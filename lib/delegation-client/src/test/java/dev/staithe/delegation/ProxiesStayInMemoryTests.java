package dev.staithe.delegation;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

@AnalyzeClasses(packages = "dev.staithe", importOptions = DoNotIncludeTests.class)
final class ProxiesStayInMemoryTests {
  /** A proxy in a file is one that others find. */
  @ArchTest
  static final ArchRule NO_FILE_IS_WRITTEN =
      ArchRuleDefinition.noClasses()
          .that()
          .resideInAPackage("dev.staithe.delegation..")
          .should()
          .callMethod(
              dev.staithe.pki.Credential.class,
              "write",
              java.nio.file.Path.class,
              java.nio.file.Path.class)
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.FileOutputStream")
          .because("keys stay in memory");
}
