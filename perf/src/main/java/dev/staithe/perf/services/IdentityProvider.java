package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.peers.process.PeerScript;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.peers.SingleProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SimpleSAMLphp as the campus identity provider of a study, by {@code perf/peers/simplesamlphp}: a
 * real one, of Debian. What it costs is nobody's figure. Not thread-safe.
 */
public final class IdentityProvider extends SingleProcess {
  /** As in figures and messages. */
  public static final String NAME = "simplesamlphp";

  private static final Path INSTALLED = Path.of("/usr/share/simplesamlphp/www/module.php");
  private static final Path VERSION =
      Path.of("/usr/share/simplesamlphp/lib/SimpleSAML/Configuration.php");
  private static final Pattern RELEASE = Pattern.compile("VERSION = '([^']+)'");

  private final Path folder;

  private IdentityProvider(ManagedProcess process, Path folder) {
    super(process, "php -S (4 workers, compiled code kept)");
    this.folder = folder;
  }

  /** Whether it can be started here. */
  public static Readiness readiness() {
    Readiness php = new Program("php", "php-cli").readiness("--version");
    if (php instanceof Readiness.Ready && !Files.exists(INSTALLED)) {
      return new Readiness.Missing(
          "SimpleSAMLphp is missing: install the Debian package simplesamlphp");
    }
    return php instanceof Readiness.Ready ready
        ? new Readiness.Ready("SimpleSAMLphp " + release() + ", " + ready.version())
        : php;
  }

  private static String release() {
    try {
      Matcher found = RELEASE.matcher(Files.readString(VERSION));
      return found.find() ? found.group(1) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Starts it with {@link Accounts#USUAL}.
   *
   * @param folder an empty folder of its own
   */
  public static IdentityProvider start(Path repository, Path folder, Core core) throws IOException {
    Files.writeString(folder.resolve("accounts"), Accounts.USUAL.lines());
    ManagedProcess process = new PeerScript(repository, NAME).start(folder, 1, core);
    return new IdentityProvider(process, folder);
  }

  /** Its metadata, an XML file. */
  public Path metadata() {
    return folder.resolve("idp.xml");
  }

  /** Where enhanced clients bring requests (SAML profiles section 4.2). */
  public String enhancedUrl() {
    return "http://127.0.0.1:" + process().port(0) + "/saml2/idp/SSOService.php";
  }

  /**
   * From the next request on it trusts this service provider as well.
   *
   * @param name of a file
   */
  public void trust(String name, String metadata) throws IOException {
    // Whole or not at all, whatever it reads meanwhile.
    Path next = Files.writeString(folder.resolve("sp").resolve(name + ".next"), metadata);
    Files.move(next, next.resolveSibling(name + ".xml"), StandardCopyOption.REPLACE_EXISTING);
  }
}
