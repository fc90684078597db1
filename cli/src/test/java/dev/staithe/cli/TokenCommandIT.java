package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code staithe token} and {@code staithe code} against the service, and what its word for a key
 * is good for at a storage element; all as they are released.
 */
class TokenCommandIT {
  private static final String PASSWORD = "a password of ada's";
  private static final Pattern SECRET = Pattern.compile("[?&]secret=([A-Z2-7]+)");

  @TempDir private static Path folder;
  private static DevelopmentAuthn authn;
  private Path home = Path.of("");

  @BeforeAll
  static void start() {
    authn = new DevelopmentAuthn(folder);
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @BeforeEach
  void newHome() throws IOException {
    home = Files.createTempDirectory(folder, "home").resolve("staithe");
  }

  private StaitheProgram staithe() {
    return new StaitheProgram(home);
  }

  private Ran run(String typed, String... arguments) {
    return staithe().run(typed, arguments);
  }

  private Ran done(String typed, String... arguments) {
    return staithe().done(typed, arguments);
  }

  private void login(String user, String typed) {
    authn.login(staithe(), user, typed);
  }

  private void administrator() {
    login("admin", authn.administratorPassword() + "\n");
  }

  @Test
  void tokenForAnotherService() {
    administrator();
    String token =
        done("", "token", "--scope", "openid", "--audience", "https://storage.example.org")
            .output()
            .strip();
    assertThat(token.split("\\.")).hasSize(3);
    assertThat(
            new String(
                Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8))
        .containsPattern("\"sub\":\"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\"")
        .contains("https://storage.example.org");
    Ran refused = run("", "token", "--scope", "compute.create", "--audience", "https://x.org");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors()).contains("HTTP 403");
  }

  @Test
  void tokenFileIsForItsOwnerAloneAndWhereGridToolsLook() throws Exception {
    administrator();
    String[] asked = {
      "token", "--scope", "openid", "--audience", "https://storage.example.org", "--file"
    };
    Path runtime = Files.createDirectory(home.resolve("runtime"));
    Path named = home.resolve("named");
    Files.writeString(named, "an old one that all may read");
    var program = staithe().with("XDG_RUNTIME_DIR", runtime.toString());
    Path found = Path.of(program.done("", asked).output().strip());
    assertThat(found).isEqualTo(runtime.resolve("bt_u" + Files.getAttribute(home, "unix:uid")));
    program.with("BEARER_TOKEN_FILE", named.toString()).done("", asked);
    for (Path file : new Path[] {found, named}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(file).strip().split("\\.")).hasSize(3);
    }
    assertThat(run("", "token", "--scope", "openid").code()).isEqualTo(2);
  }

  @Test
  void tokenOfAnIssuerByADeviceCode() throws Exception {
    administrator();
    done(
        "",
        "client",
        "add",
        "device-tool",
        "--public",
        "--grant",
        "device_code",
        "--scope",
        "openid",
        "--audience",
        "https://storage.example.org");
    var session = new Properties();
    try (var file = Files.newBufferedReader(home.resolve("session.properties"))) {
      session.load(file);
    }
    Process asking =
        staithe()
            .start(
                "token",
                "--issuer",
                authn.url(),
                "--trust",
                authn.trust(),
                "--client",
                "device-tool",
                "--scope",
                "openid");
    try {
      String invitation = asking.errorReader().readLine();
      assertThat(invitation).startsWith("Open " + authn.url() + "/device and enter ");
      String code = invitation.replaceAll(".* ", "");
      String cookie = "__Host-staithe=" + session.getProperty("token");
      String page =
          Curl.to(authn.url() + "/oauth2/device_verification?user_code=" + code)
              .trusting(Path.of(authn.trust()))
              .header("Cookie", cookie)
              .following()
              .run()
              .text();
      Curl.to(authn.url() + "/oauth2/device_verification")
          .trusting(Path.of(authn.trust()))
          .header("Cookie", cookie)
          .body(
              "client_id=device-tool&scope=openid&user_code="
                  + field(page, "user_code")
                  + "&state="
                  + URLEncoder.encode(field(page, "state"), StandardCharsets.UTF_8))
          .run();
      assertThat(asking.inputReader().readLine().split("\\.")).hasSize(3);
      assertThat(asking.waitFor()).isZero();
    } finally {
      asking.destroyForcibly();
      done("", "client", "remove", "device-tool");
    }
    Ran nobody =
        run(
            "",
            "token",
            "--issuer",
            authn.url(),
            "--trust",
            authn.trust(),
            "--client",
            "x",
            "--scope",
            "openid");
    assertThat(nobody.code()).isEqualTo(1);
    assertThat(nobody.errors()).startsWith("staithe: HTTP 401").hasLineCount(1);
  }

  @Test
  void personWithALoginAndNoCertificateIsAPartyOfContracts() throws Exception {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    Path issuerTrust = folder.resolve("issuers.pem");
    Files.writeString(
        issuerTrust,
        Files.readString(authority.certificateFile()) + Files.readString(Path.of(authn.trust())));
    int port = FreePort.next();
    Map<String, String> settings = new HashMap<>();
    settings.put("staithe.issuer-trust", issuerTrust.toString());
    settings.put("staithe.issuers[1].issuer", authn.url());
    settings.put("staithe.issuers[1].audiences", "https://localhost:" + port);
    settings.put("staithe.areas[0].grants[1].issuer", authn.url());
    settings.put("staithe.areas[0].contracts.people.issuers[0].issuer", authn.url());
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageElement p =
            new StorageElement(folder.resolve("p"), port, 1, authority, issuer, settings)) {
      p.ready();
      Files.writeString(p.file("f"), "bytes for who logged in");
      Path here = Files.createDirectories(home.resolve("here"));
      String trust = authority.certificateFile().toString();
      String[] get = {
        "get", p.url("/data/f"), "--login", "--to", here.resolve("f").toString(), "--trust", trust
      };
      Ran nobody = run("", get);
      assertThat(nobody.errors()).contains("neither a certificate nor a login").hasLineCount(1);
      administrator();
      String got = done("", get).output();
      assertThat(here.resolve("f")).hasContent("bytes for who logged in");
      assertThat(here.resolve("f.issuer-jwks.json")).exists();
      String who = "openid:iss=" + authn.url() + " sub=";
      String proven = proven(got);
      assertThat(proven)
          .contains(who, " received as a person, by the ID token that " + authn.url() + " issued")
          .contains("which a key of that issuer signed, and which was good then")
          .contains("received 23 bytes")
          .doesNotContain("BAD");
      String name = proven.replaceAll("(?s).*(openid:iss=\\S+ sub=\\S+) received as.*", "$1");
      assertThat(
              done("", "contract", "list", "--url", p.url(""), "--trust", trust, "--host", name)
                  .output())
          .contains("received", name, p.url("/data/f"));
      assertThat(proven(got.replaceAll(" --issuer-keys \\S+", "")))
          .contains("which no issuer was asked about")
          .doesNotContain("BAD");
      Files.writeString(
          here.resolve("f.issuer-jwks.json"), Files.readString(here.resolve("f.jwks.json")));
      assertThat(run("", words(got)).output())
          .contains("BAD", "is signed by none of the issuer's keys");

      Path mine = Files.writeString(here.resolve("mine"), "bytes by who logged in");
      String[] put = {"put", mine.toString(), p.url("/data/mine"), "--login", "--trust", trust};
      assertThat(proven(done("", put).output()))
          .contains(who, " brought as a person, by the ID token", "received 22 bytes")
          .doesNotContain("BAD");
      assertThat(p.file("mine")).hasContent("bytes by who logged in");
      Ran ungiven =
          run("", "get", p.url("/data/f"), "--login", "--trust", trust, "--scope", "compute.read");
      assertThat(ungiven.errors()).contains("gives no token: HTTP 403", "--scope").hasLineCount(1);
    }
  }

  private static String[] words(String output) {
    String verify = output.lines().skip(1).findFirst().orElseThrow();
    String[] words = verify.split(" ");
    return Arrays.copyOfRange(words, 1, words.length);
  }

  private String proven(String output) {
    return done("", words(output)).output();
  }

  private static String field(String page, String name) {
    return page.replaceAll("(?s).*name=\"" + name + "\" value=\"([^\"]*)\".*", "$1");
  }

  @Test
  void codesAreSetUpWithTheFirstCodeAndAskedForFromThenOn() throws IOException {
    administrator();
    done(PASSWORD + "\n", "user", "add", "carol");
    Path mine = home;
    home = mine.resolveSibling("carol");
    login("carol", PASSWORD + "\n");
    Process setUp = staithe().start("code");
    var in = setUp.outputWriter(StandardCharsets.UTF_8);
    in.write(PASSWORD + "\n");
    in.flush();
    var out = setUp.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    Matcher secret = SECRET.matcher("");
    while (line != null && !secret.reset(line).find()) {
      line = out.readLine();
    }
    assertThat(line).startsWith("otpauth://totp/");
    byte[] key = base32(secret.group(1));
    in.write(code(key) + "\n");
    in.close();
    var recovery = out.lines().filter(each -> each.matches("[a-z2-7-]{19}")).toList();
    assertThat(recovery).hasSize(8);
    assertThat(run(PASSWORD + "\n", "code").errors()).contains("HTTP 409");
    Ran without =
        run(
            PASSWORD + "\n",
            "login",
            "--url",
            authn.url(),
            "--trust",
            authn.trust(),
            "--user",
            "carol");
    assertThat(without.code()).isEqualTo(1);
    assertThat(without.errors()).contains("no code on standard input");
    login("carol", PASSWORD + "\n" + recovery.getFirst() + "\n");
    assertThat(
            run(
                    PASSWORD + "\n" + recovery.getFirst() + "\n",
                    "login",
                    "--url",
                    authn.url(),
                    "--trust",
                    authn.trust(),
                    "--user",
                    "carol")
                .code())
        .as("a recovery code is good once")
        .isEqualTo(1);
    home = mine;
    done("", "user", "code-off", "carol");
    home = mine.resolveSibling("carol");
    login("carol", PASSWORD + "\n");
  }

  private static byte[] base32(String text) {
    var bytes = ByteBuffer.allocate(text.length() * 5 / 8);
    int bits = 0;
    int held = 0;
    for (char letter : text.toCharArray()) {
      held = held << 5 | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.put((byte) (held >> bits));
        held &= (1 << bits) - 1;
      }
    }
    return bytes.array();
  }

  /** RFC 6238, computed here and not by our own code. */
  private static String code(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(key, "HmacSHA1"));
      long step = Clock.systemUTC().millis() / 30_000;
      byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
      int number = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xf) & 0x7fffffff;
      return String.format("%06d", number % 1_000_000);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
