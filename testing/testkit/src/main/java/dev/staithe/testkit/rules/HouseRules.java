package dev.staithe.testkit.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules of the house, executable. A module's tests check them with
 *
 * <pre>{@code
 * @AnalyzeClasses(packages = "dev.staithe", importOptions = DoNotIncludeTests.class)
 * final class HouseRulesTests {
 *   @ArchTest static final ArchTests RULES = ArchTests.in(HouseRules.class);
 * }
 * }</pre>
 *
 * <p>Each rule says what to do instead. Rules accept a class path on which nothing matches, because
 * each module sees only itself and what it depends on.
 */
public final class HouseRules {
  private HouseRules() {}

  private static final Pattern EMPTY_NAME =
      Pattern.compile(
          ".*(Utils?|Helpers?|(?<!Trust|Key)Managers?|Impl)|(Base|Common|Abstract)[A-Z].*");

  private static final String[] SERVICES = {
    "dev.staithe.storage..",
    "dev.staithe.authn..",
    "dev.staithe.slcs..",
    "dev.staithe.delegation..",
    "dev.staithe.echo..",
    "dev.staithe.gateway.."
  };

  /** Below a service's name, but for all who delegate or act for others. */
  private static final String[] CLIENTS = {
    "dev.staithe.delegation.client..", "dev.staithe.delegation.handlers.."
  };

  private static final Set<String> FILE_ACCESS =
      Set.of(
          "java.nio.file.Files",
          "java.nio.channels.FileChannel",
          "java.nio.channels.AsynchronousFileChannel",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.io.FileReader",
          "java.io.FileWriter",
          "java.io.RandomAccessFile");

  /** Who connects to others beside {@code dev.staithe.http}. */
  private static final Set<String> CONNECTING =
      Set.of(
          // Sends datagrams.
          "dev.staithe.storage.flows.FlowMarks",
          // Hands sockets to the JDK's client of LDAP.
          "dev.staithe.authn.users.TimedSockets",
          // Hands them to clients of Redis.
          "dev.staithe.tls.ReloadingSockets",
          // Follows redirects, as federations move their metadata.
          "dev.staithe.slcs.saml.metadata.Download");

  private static final Set<String> OPENING =
      Set.of(
          "java.net.http.HttpClient#newBuilder",
          "java.net.http.HttpClient#newHttpClient",
          "java.net.URL#openConnection",
          "java.net.URL#openStream",
          "java.net.Socket#<init>",
          "java.net.DatagramSocket#<init>",
          "java.nio.channels.SocketChannel#open",
          "java.nio.channels.DatagramChannel#open",
          "java.nio.channels.AsynchronousSocketChannel#open",
          "javax.net.SocketFactory#createSocket",
          "javax.net.ssl.SSLSocketFactory#createSocket");

  private static final Set<String> XML_FACTORIES =
      Set.of(
          "javax.xml.parsers.DocumentBuilderFactory",
          "javax.xml.parsers.SAXParserFactory",
          "javax.xml.stream.XMLInputFactory",
          "javax.xml.transform.TransformerFactory",
          "javax.xml.transform.sax.SAXTransformerFactory",
          "javax.xml.validation.SchemaFactory",
          "javax.xml.xpath.XPathFactory",
          "org.xml.sax.helpers.XMLReaderFactory");

  // --- who may know whom ---------------------------------------------------------------------

  /** Tests' throw-away authorities must never reach a running service. */
  @ArchTest
  public static final ArchRule NOTHING_IN_MAIN_KNOWS_TESTKIT =
      noClasses()
          .that(resideOutsideOfPackage("dev.staithe.testkit.."))
          .should()
          .dependOnClassesThat(resideInAnyPackage("dev.staithe.testkit.."))
          .because(
              "testkit makes untrusted keys: move what main needs into the module that owns it")
          .allowEmptyShould(true);

  /** Nor does a service start others' servers. */
  @ArchTest
  public static final ArchRule PEERS_ARE_FOR_TESTS_AND_MEASUREMENTS =
      noClasses()
          .that(
              resideOutsideOfPackages(
                  "dev.staithe.peers..", "dev.staithe.testkit..", "dev.staithe.perf.."))
          .should()
          .dependOnClassesThat(resideInAnyPackage("dev.staithe.peers.."))
          .because("it starts what a test or a study needs: a service has clients, in http")
          .allowEmptyShould(true);

  /** Shared modules are used below Spring as well as above it; see docs/adr/0010. */
  @ArchTest
  public static final ArchRule SHARED_MODULES_KNOW_NEITHER_SPRING_NOR_A_SERVICE =
      noClasses()
          .that(
              resideInAnyPackage(
                  "dev.staithe.pki..",
                  "dev.staithe.tls..",
                  "dev.staithe.http..",
                  "dev.staithe.s3..",
                  "dev.staithe.xml..",
                  "dev.staithe.testkit.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.springframework..", "dev.staithe.service..")
                  .or(resideInAnyPackage(SERVICES)))
          .because("the service adapts the shared module, in its *Configuration, never the reverse")
          .allowEmptyShould(true);

  /** What stands below all services is told by them what they do. */
  @ArchTest
  public static final ArchRule SERVICE_MODULE_KNOWS_NO_SERVICE =
      noClasses()
          .that()
          .resideInAnyPackage("dev.staithe.service..", "dev.staithe.database..")
          .should()
          .dependOnClassesThat(resideInAnyPackage(SERVICES))
          .because("the service hands in a record or a function, in its *Configuration")
          .allowEmptyShould(true);

  /** What knows Spring is not for the command line, nor for what measures from outside. */
  @ArchTest
  public static final ArchRule SERVICE_MODULE_IS_FOR_SERVICES_ONLY =
      noClasses()
          .that(
              DescribedPredicate.not(
                      resideInAnyPackage("dev.staithe.service..", "dev.staithe.database.."))
                  .and(DescribedPredicate.not(resideInAnyPackage(SERVICES))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("dev.staithe.service..", "dev.staithe.database.."))
          .because("take it from pki, tls or xml, or move there what needs no Spring")
          .allowEmptyShould(true);

  /** Services meet over the network only. */
  @ArchTest
  public static final ArchRule SERVICES_KNOW_NO_OTHER_SERVICE =
      slices()
          .assignedFrom(new EachService())
          .should()
          .notDependOnEachOther()
          .because("ask the other over HTTP, or move what both need into a shared module")
          .allowEmptyShould(true);

  /** A name or an address that somebody else wrote is asked only where that is guarded. */
  @ArchTest
  public static final ArchRule CONNECTIONS_ARE_OPENED_BY_FEW =
      noClasses()
          .that(
              resideOutsideOfPackages(
                      "dev.staithe.http..",
                      "dev.staithe.perf..",
                      "dev.staithe.peers..",
                      "dev.staithe.testkit..")
                  .and(
                      DescribedPredicate.describe(
                          "are not among those that connect",
                          type -> !CONNECTING.contains(outermost(type).getFullName()))))
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "opens a connection",
                  access ->
                      OPENING.contains(
                          access.getTargetOwner().getFullName() + "#" + access.getName())))
          .because("use one of those that are listed here, or guard it as they do and list it")
          .allowEmptyShould(true);

  /** Certificates are made and judged in one place. */
  @ArchTest
  public static final ArchRule BOUNCY_CASTLE_ONLY_IN_PKI =
      onlyIn(
          "dev.staithe.pki..",
          resideInAnyPackage("org.bouncycastle..", "eu.emi..", "org.italiangrid.."),
          "use the types of dev.staithe.pki, or widen them");

  /** What a SAML message says is read by one package, which checks it. */
  @ArchTest
  public static final ArchRule OPENSAML_ONLY_IN_SAML =
      onlyIn(
          "dev.staithe.slcs.saml..",
          resideInAnyPackage("org.opensaml..", "net.shibboleth.."),
          "use the types of dev.staithe.slcs.session, which are values without XML");

  /** The choice of TLS provider is made in one place, and that of who makes keys in another. */
  @ArchTest
  public static final ArchRule CONSCRYPT_ONLY_IN_TLS_AND_PKI =
      onlyIn(
          "dev.staithe.[tls|pki]..",
          resideInAnyPackage("org.conscrypt.."),
          "ask dev.staithe.tls for a context or an engine, dev.staithe.pki for an RSA key");

  /** What a store promises is said, and kept, in one place. */
  @ArchTest
  public static final ArchRule REDIS_CLIENT_ONLY_BEHIND_OUR_POOL =
      onlyIn(
          "dev.staithe.service.redis..",
          resideInAnyPackage("redis.clients.."),
          "use dev.staithe.service.redis.RedisPool");

  /** A parser made elsewhere would read DTDs and external entities by default. */
  @ArchTest
  public static final ArchRule XML_FACTORIES_ONLY_IN_XML =
      onlyIn("dev.staithe.xml..", named(XML_FACTORIES), "use dev.staithe.xml.SafeXml");

  /** Path confinement and staging hold only if nobody goes around them. */
  @ArchTest
  public static final ArchRule FILES_OF_STORAGE_ONLY_THROUGH_ITS_FILES_PACKAGE =
      noClasses()
          .that()
          .resideInAPackage("dev.staithe.storage..")
          .and()
          .resideOutsideOfPackages(
              "dev.staithe.storage.files..",
              "dev.staithe.storage.state..",
              "dev.staithe.storage.linux..",
              "dev.staithe.storage.posix..")
          .should()
          .dependOnClassesThat(named(FILE_ACCESS))
          .because("use dev.staithe.storage.files, whose store confines paths, stages and renames")
          .allowEmptyShould(true);

  /** What is read in one direction is understood in one reading. */
  @ArchTest
  public static final ArchRule PACKAGES_KNOW_THOSE_BELOW_ONLY =
      classes()
          .should(new Directions())
          .because("hand the value down, or move what both need to the lower one; see Directions")
          .allowEmptyShould(true);

  /** The root package wires the feature packages, which therefore must not know it. */
  @ArchTest
  public static final ArchRule NO_CYCLES_BETWEEN_PACKAGES =
      slices()
          .matching("dev.staithe.(**)")
          .should()
          .beFreeOfCycles()
          .because("move the shared type to the lower package, or hand the value down in a record")
          .allowEmptyShould(true);

  // --- time ----------------------------------------------------------------------------------

  /** Expiry can be tested only where the clock can be set; what serves tests may read any clock. */
  @ArchTest
  public static final ArchRule TIME_COMES_FROM_AN_INJECTED_CLOCK =
      classes()
          .that()
          .haveSimpleNameNotEndingWith("Application")
          .and()
          .haveSimpleNameNotEndingWith("Configuration")
          .and(resideOutsideOfPackage("dev.staithe.testkit.."))
          .should(AskNoWallClock.INSTANCE)
          .because("take a Clock in the constructor; System.nanoTime() measures elapsed time")
          .allowEmptyShould(true);

  // --- shape ---------------------------------------------------------------------------------

  /** What is injected into a field cannot be final, nor be given by a test. */
  @ArchTest
  public static final ArchRule NO_FIELD_INJECTION =
      fields()
          .should()
          .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
          .andShould()
          .notBeAnnotatedWith("org.springframework.beans.factory.annotation.Value")
          .andShould()
          .notBeAnnotatedWith("jakarta.inject.Inject")
          .andShould()
          .notBeAnnotatedWith("jakarta.annotation.Resource")
          .because("take it in the constructor; settings come as a record of properties")
          .allowEmptyShould(true);

  /** A name says what the thing is. */
  @ArchTest
  public static final ArchRule NAMES_SAY_THE_THING =
      noClasses()
          .should(
              Conditions.of(
                  "be named *Utils, *Helper, *Manager, *Impl, Base*, Common* or Abstract*",
                  type -> EMPTY_NAME.matcher(type.getSimpleName()).matches()))
          .because("name it for what it is or does; one implementation needs no interface")
          .allowEmptyShould(true);

  /** Extension is a promise that is made on purpose. */
  @ArchTest
  public static final ArchRule CONCRETE_CLASSES_ARE_FINAL =
      noClasses()
          .should(Conditions.of("be open for extension", HouseRules::openByAccident))
          .because("make it final, or sealed with the subclasses that it has")
          .allowEmptyShould(true);

  /** Null is a compile error only where the package says so. */
  @ArchTest
  public static final ArchRule PACKAGES_ARE_NULL_MARKED =
      noClasses()
          .should(
              Conditions.of(
                  "be in a package without @NullMarked",
                  type ->
                      !type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")))
          .because("add a package-info.java with @NullMarked, so that NullAway checks the package")
          .allowEmptyShould(true);

  /** All packages of a service are one slice; what belongs to none is in none. */
  private static final class EachService implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      if (resideInAnyPackage(CLIENTS).test(type)) {
        return SliceIdentifier.ignore();
      }
      for (String service : SERVICES) {
        if (resideInAnyPackage(service).test(type)) {
          return SliceIdentifier.of(service);
        }
      }
      return SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "services";
    }
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(HouseRules::outermost).orElse(type);
  }

  private static boolean openByAccident(JavaClass type) {
    return !type.isInterface()
        && !type.isEnum()
        && !type.isRecord()
        && !type.isAnonymousClass()
        && !type.getModifiers().contains(JavaModifier.ABSTRACT)
        && !type.getModifiers().contains(JavaModifier.FINAL)
        && type.getSubclasses().isEmpty();
  }

  private static ArchRule onlyIn(String home, DescribedPredicate<JavaClass> what, String instead) {
    return noClasses()
        .that(resideOutsideOfPackage(home))
        .should()
        .dependOnClassesThat(what)
        .because(instead)
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> named(Set<String> names) {
    return DescribedPredicate.describe(
        "are one of " + names, type -> names.contains(type.getFullName()));
  }
}
