package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.kind;
import static dev.staithe.delegation.credential.Site.owner;
import static dev.staithe.delegation.credential.Site.request;
import static dev.staithe.delegation.credential.Site.stored;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientChainRules.Namespaces;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import dev.staithe.pki.grid.ProxyPolicy;
import dev.staithe.pki.grid.ProxyTerms;
import dev.staithe.testkit.Trials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chains that no honest signer makes, from {@code openssl x509}, and chains with VOMS attributes
 * from {@code voms-proxy-fake}: what is refused leaves every row as it was.
 */
final class ForgedChainsTests {
  private static final DelegationId JOB = new DelegationId("job");
  private static final String ADA = "/DC=org/DC=staithe/O=Example/CN=Ada";
  private static final String FULL = "critical,language:id-ppl-inheritAll";
  private static final String LIMITED = "critical,language:1.3.6.1.4.1.3536.1.1.1.9";

  @TempDir Path folder;
  private JdbcConnectionPool pool;
  private Site site;
  private Delegations node;
  private Credential ada;
  private int files;

  @BeforeEach
  void open() throws Exception {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    site = new Site(folder, pool, Instant.now());
    node = site.node();
    ada = site.person("Ada");
  }

  @AfterEach
  void close() {
    site.close();
    pool.dispose();
  }

  /** Asks for a request, and puts what was forged for it. */
  private Outcome<Delegation> put(Credential by, String subject, String... extensions)
      throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    String chain = forged(by, request, subject, extensions);
    List<String> before = site.rows();

    Outcome<Delegation> put = node.put(owner(ada), JOB, chain);

    if (put instanceof Outcome.Refused<Delegation>) {
      assertThat(site.rows()).isEqualTo(before);
    }
    return put;
  }

  private void refused(String because, Outcome<Delegation> put) throws Exception {
    assertThat(kind(put)).isEqualTo(Kind.BAD_PROXY);
    assertThat(site.audited().lines().toList().getLast())
        .contains("\"outcome\":\"bad-proxy\"", because);
  }

  private String forged(Credential by, String request, String subject, String... extensions)
      throws Exception {
    String name = "forged-" + ++files;
    Path issuer = folder.resolve(name + "-issuer.pem");
    Path key = folder.resolve(name + "-issuer-key.pem");
    by.write(issuer, key);
    Path publicKey =
        Files.writeString(
            folder.resolve(name + "-public.pem"),
            "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(Site.key(request).getEncoded())
                + "\n-----END PUBLIC KEY-----\n");
    Path says =
        Files.writeString(
            folder.resolve(name + ".cnf"), "[says]\n" + String.join("\n", extensions) + "\n");
    Path out = folder.resolve(name + ".pem");
    run(
        "openssl",
        "x509",
        "-new",
        "-force_pubkey",
        publicKey,
        "-subj",
        subject,
        "-CA",
        issuer,
        "-CAkey",
        key,
        "-days",
        "1",
        "-set_serial",
        "12345",
        "-extfile",
        says,
        "-extensions",
        "says",
        "-out",
        out);
    return Files.readString(out) + Pem.encode(by.chain());
  }

  private static String proxyInfo(String value) {
    return "proxyCertInfo=" + value;
  }

  @Test
  void whatOpensslMakesByTheRulesIsTaken() throws Exception {
    assertThat(stored(put(ada, ADA + "/CN=12345", proxyInfo(FULL + ",pathlen:3"))).pathLeft())
        .isEqualTo(3);
    assertThat(stored(put(ada, ADA + "/CN=12345", proxyInfo(LIMITED))).limited()).isTrue();
  }

  @Test
  void proxyOfAnotherNameThanItsMakersAndOneMoreIsRefused() throws Exception {
    for (String subject :
        List.of(
            ADA,
            "/DC=org/DC=staithe/O=Example/CN=Bob/CN=12345",
            ADA + "/CN=1/CN=2",
            ADA + "/O=12345")) {
      refused("", put(ada, subject, proxyInfo(FULL)));
    }
  }

  @Test
  void certificateThatIsNoProxyIsRefused() throws Exception {
    refused("", put(ada, ADA + "/CN=12345", "keyUsage=critical,digitalSignature"));
    refused("", put(ada, ADA + "/CN=12345", "basicConstraints=critical,CA:TRUE", proxyInfo(FULL)));
  }

  @Test
  void fullProxyBelowALimitedOneIsRefusedOrStaysLimited() throws Exception {
    Credential limited =
        site.proxy(ada, ProxyTerms.of(Duration.ofHours(2)).withPolicy(ProxyPolicy.LIMITED));
    String below = subject(limited) + "/CN=12345";

    Outcome<Delegation> put = put(limited, below, proxyInfo(FULL));

    if (put instanceof Outcome.Done<Delegation>(Delegation stored)) {
      assertThat(stored.limited()).isTrue();
    } else {
      refused("", put);
    }
  }

  @Test
  void rightsInALanguageThatNobodyKnowsAreRefused() throws Exception {
    refused("", put(ada, ADA + "/CN=12345", proxyInfo("critical,language:1.2.3.4")));
    refused("", put(ada, ADA + "/CN=12345", proxyInfo("language:id-ppl-inheritAll")));
  }

  @Test
  void proxyBelowOneThatAllowsNoneIsRefused() throws Exception {
    Credential last = site.proxy(ada, ProxyTerms.of(Duration.ofHours(2)).withPathLength(0));

    refused("PATH_LENGTH", put(last, subject(last) + "/CN=12345", proxyInfo(FULL)));
  }

  @Test
  void proxyThatOutlivesItsMakerIsRefused() throws Exception {
    Credential shortOne = site.proxy(ada, ProxyTerms.of(Duration.ofHours(2)));

    refused("LIFETIME", put(shortOne, subject(shortOne) + "/CN=12345", proxyInfo(FULL)));
  }

  @Test
  void proxySignedBySomebodyElseInHerNameIsRefused() throws Exception {
    String request = request(node.begin(owner(ada), JOB, null, null));
    Credential bob = site.person("Bob");
    String chain = forged(bob, request, ADA + "/CN=12345", proxyInfo(FULL));

    refused("", node.put(owner(ada), JOB, chain));
    // Under her certificate in place of his.
    refused(
        "",
        node.put(
            owner(ada),
            JOB,
            chain.substring(0, chain.indexOf("-----END CERTIFICATE-----") + 26)
                + Pem.encode(ada.chain())));
  }

  @Test
  void otherVomsAttributesOnRenewalAreRefused() throws Exception {
    Credential person = site.person("Ada", KeyKind.RSA_2048);
    Credential production = voms(person, "/testvo/Role=production/Capability=NULL", "/testvo");
    Credential plain = voms(person, "/testvo");

    String request = request(node.begin(owner(ada), JOB, null, null));
    Delegation first = stored(node.put(owner(ada), JOB, site.sign(production, request)));
    assertThat(first.fqans()).containsExactly("/testvo/Role=production/Capability=NULL", "/testvo");

    for (Credential other : List.of(plain, person)) {
      String again = request(node.renew(owner(ada), JOB));
      List<String> before = site.rows();
      assertThat(kind(node.put(owner(ada), JOB, site.sign(other, again)))).isEqualTo(Kind.CONFLICT);
      assertThat(site.rows()).isEqualTo(before);
      Trials.held();
    }
    String again = request(node.renew(owner(ada), JOB));
    stored(node.put(owner(ada), JOB, site.sign(production, again)));
  }

  @Test
  void delegationEndsWithItsVomsAttributes() throws Exception {
    Credential person = site.person("Ada", KeyKind.RSA_2048);
    Credential proxy = voms(person, "/testvo");
    String request = request(node.begin(owner(ada), JOB, null, null));

    Delegation kept =
        stored(
            node.put(
                owner(ada), JOB, site.sign(proxy, request, ProxyTerms.of(Duration.ofDays(2)))));

    assertThat(kept.notAfter())
        .isBeforeOrEqualTo(site.clock.instant().plus(Duration.ofHours(12)).plusSeconds(120));
  }

  /** A proxy with attributes that a server of nobody's knowing gave. */
  private Credential voms(Credential person, String... fqans) throws Exception {
    // The tool signs over SHA-1.
    site.rules = new ClientChainRules(Revocation.IF_VALID, Namespaces.IF_PRESENT, true);
    node = site.node();
    String name = "voms-" + ++files;
    Path user = folder.resolve(name + "-user.pem");
    Path userKey = folder.resolve(name + "-user-key.pem");
    Path host = folder.resolve(name + "-host.pem");
    Path hostKey = folder.resolve(name + "-host-key.pem");
    person.write(user, userKey);
    site.person("voms", KeyKind.RSA_2048).write(host, hostKey);
    Path out = folder.resolve(name + ".pem");
    List<Object> command =
        new ArrayList<>(
            List.of(
                "voms-proxy-fake",
                "-quiet",
                "-rfc",
                "-cert",
                user,
                "-key",
                userKey,
                "-hostcert",
                host,
                "-hostkey",
                hostKey,
                "-voms",
                "testvo",
                "-uri",
                "voms.test:15000",
                "-certdir",
                folder.resolve("trust"),
                "-out",
                out));
    for (String fqan : fqans) {
      command.add("-fqan");
      command.add(fqan);
    }
    run(command.toArray());
    return Credential.read(out, out);
  }

  private static String subject(Credential of) {
    List<String> parts =
        new ArrayList<>(
            Arrays.asList(of.certificate().getSubjectX500Principal().getName().split(",")));
    Collections.reverse(parts);
    return "/" + String.join("/", parts);
  }

  private void run(Object... command) throws Exception {
    Process process =
        new ProcessBuilder(Arrays.stream(command).map(Object::toString).toList())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    // What the tool made begins now.
    site.clock.set(Instant.now().plusSeconds(1));
  }
}
