package dev.staithe.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.staithe.authn.AsksStorage;
import dev.staithe.service.KnowsStorage;
import dev.staithe.slcs.saml.AsksMetadata;
import dev.staithe.slcs.saml.metadata.AsksEndpoints;
import dev.staithe.storage.dav.Connects;
import dev.staithe.storage.dav.KnowsFiles;
import dev.staithe.storage.dav.OpensFiles;
import dev.staithe.storage.dav.TellsTime;
import dev.staithe.storage.files.CallsBackUp;
import dev.staithe.testkit.rules.HouseRules;
import javax.xml.parsers.DocumentBuilderFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.Test;

/** A rule that never fails protects nothing: each is shown a class that breaks it. */
final class HouseRulesCatchTests {
  @Test
  void clockWhenReadByACallThenCaught() {
    assertThat(broken(HouseRules.TIME_COMES_FROM_AN_INJECTED_CLOCK, TellsTime.CallsNow.class))
        .isTrue();
    assertThat(broken(HouseRules.TIME_COMES_FROM_AN_INJECTED_CLOCK, TellsTime.MakesDate.class))
        .isTrue();
  }

  @Test
  void clockWhenReadByAMethodReferenceThenCaught() {
    assertThat(broken(HouseRules.TIME_COMES_FROM_AN_INJECTED_CLOCK, TellsTime.RefersToNow.class))
        .isTrue();
  }

  @Test
  void clockWhenInjectedThenAccepted() {
    assertThat(broken(HouseRules.TIME_COMES_FROM_AN_INJECTED_CLOCK, TellsTime.AsksClock.class))
        .isFalse();
  }

  @Test
  void filesWhenOpenedInDavThenCaught() {
    ArchRule rule = HouseRules.FILES_OF_STORAGE_ONLY_THROUGH_ITS_FILES_PACKAGE;
    assertThat(broken(rule, OpensFiles.class)).isTrue();
    assertThat(broken(rule, CallsBackUp.class)).isFalse();
  }

  @Test
  void connectionWhenOpenedByWhoIsNotListedThenCaught() {
    ArchRule rule = HouseRules.CONNECTIONS_ARE_OPENED_BY_FEW;
    assertThat(broken(rule, Connects.class)).isTrue();
    assertThat(broken(rule, Connects.Refers.class)).isTrue();
    assertThat(broken(rule, OpensFiles.class)).isFalse();
  }

  @Test
  void filesWhenTheyCallBackUpThenCaught() {
    ArchRule rule = HouseRules.PACKAGES_KNOW_THOSE_BELOW_ONLY;
    assertThat(broken(rule, CallsBackUp.class)).isTrue();
    assertThat(broken(rule, OpensFiles.class)).isFalse();
    assertThat(broken(rule, KnowsFiles.class)).isFalse();
  }

  @Test
  void partOfAPackageWhenItKnowsTheWholeThenCaught() {
    ArchRule rule = HouseRules.PACKAGES_KNOW_THOSE_BELOW_ONLY;
    assertThat(broken(rule, AsksEndpoints.class)).isTrue();
    assertThat(broken(rule, AsksMetadata.class)).isFalse();
  }

  @Test
  void packagesWhenTheyNeedEachOtherThenCaught() {
    ArchRule rule = HouseRules.NO_CYCLES_BETWEEN_PACKAGES;
    assertThat(broken(rule, OpensFiles.class, CallsBackUp.class)).isFalse();
    assertThat(broken(rule, OpensFiles.class, CallsBackUp.class, KnowsFiles.class)).isTrue();
  }

  @Test
  void sharedModuleWhenItKnowsWhatKnowsSpringThenCaught() {
    ArchRule rule = HouseRules.SHARED_MODULES_KNOW_NEITHER_SPRING_NOR_A_SERVICE;
    assertThat(broken(rule, dev.staithe.tls.UsesServiceModule.class)).isTrue();
    assertThat(broken(rule, dev.staithe.authn.UsesServiceModule.class)).isFalse();
  }

  @Test
  void serviceModuleWhenItKnowsAServiceThenCaught() {
    ArchRule rule = HouseRules.SERVICE_MODULE_KNOWS_NO_SERVICE;
    assertThat(broken(rule, KnowsStorage.class)).isTrue();
    assertThat(broken(rule, AsksStorage.class)).isFalse();
  }

  @Test
  void serviceModuleWhenUsedByWhatIsNoServiceThenCaught() {
    ArchRule rule = HouseRules.SERVICE_MODULE_IS_FOR_SERVICES_ONLY;
    assertThat(broken(rule, dev.staithe.perf.UsesServiceModule.class)).isTrue();
    assertThat(broken(rule, dev.staithe.tls.UsesServiceModule.class)).isTrue();
    assertThat(broken(rule, dev.staithe.authn.UsesServiceModule.class)).isFalse();
  }

  @Test
  void serviceWhenItKnowsAnotherThenCaught() {
    ArchRule rule = HouseRules.SERVICES_KNOW_NO_OTHER_SERVICE;
    assertThat(broken(rule, AsksStorage.class, OpensFiles.class)).isTrue();
    assertThat(broken(rule, CallsBackUp.class, OpensFiles.class)).isFalse();
    assertThat(broken(rule, KnowsStorage.class, OpensFiles.class)).isFalse();
  }

  @Test
  void cryptographyWhenUsedOutsidePkiThenCaught() {
    assertThat(broken(HouseRules.BOUNCY_CASTLE_ONLY_IN_PKI, NamesSubject.class)).isTrue();
  }

  @Test
  void parserWhenMadeOutsideXmlThenCaught() {
    assertThat(broken(HouseRules.XML_FACTORIES_ONLY_IN_XML, MakesParser.class)).isTrue();
  }

  @Test
  void nameWhenItSaysNothingThenCaught() {
    assertThat(broken(HouseRules.NAMES_SAY_THE_THING, CopyUtils.class)).isTrue();
    assertThat(broken(HouseRules.NAMES_SAY_THE_THING, BaseStore.class)).isTrue();
    assertThat(broken(HouseRules.NAMES_SAY_THE_THING, ReloadingTrustManager.class)).isFalse();
    assertThat(broken(HouseRules.NAMES_SAY_THE_THING, Baseline.class)).isFalse();
  }

  @Test
  void classWhenOpenForExtensionThenCaught() {
    assertThat(broken(HouseRules.CONCRETE_CLASSES_ARE_FINAL, Open.class)).isTrue();
    assertThat(broken(HouseRules.CONCRETE_CLASSES_ARE_FINAL, Baseline.class)).isFalse();
  }

  @Test
  void packageWhenNotNullMarkedThenCaught() {
    assertThat(broken(HouseRules.PACKAGES_ARE_NULL_MARKED, OpensFiles.class)).isTrue();
    // The mark is on package-info, so the whole package has to be read.
    var marked = new ClassFileImporter().importPackagesOf(HouseRules.class);
    assertThat(HouseRules.PACKAGES_ARE_NULL_MARKED.evaluate(marked).hasViolation()).isFalse();
  }

  private static boolean broken(ArchRule rule, Class<?>... types) {
    return rule.evaluate(new ClassFileImporter().importClasses(types)).hasViolation();
  }

  static final class NamesSubject {
    X500Name name() {
      return new X500Name("CN=test");
    }
  }

  static final class MakesParser {
    DocumentBuilderFactory parsers() {
      return DocumentBuilderFactory.newInstance();
    }
  }

  static final class CopyUtils {}

  static final class BaseStore {}

  static final class ReloadingTrustManager {}

  static final class Baseline {}

  static class Open {}
}
