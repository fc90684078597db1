package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.RestClient.Answer;
import dev.staithe.delegation.door.Shape.Open;
import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Services that act for a user, and send the certificates of that as no honest program would. */
final class SentChainsTests {
  private static final String ADA = GridAuthority.NAMESPACE + "/CN=Ada";

  @TempDir static Path folder;

  private static RunningDelegation service;
  private static Somebody ada;
  private static Somebody robot;

  @BeforeAll
  static void start() {
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    service = RunningDelegation.start(folder, grid.trust(), Map.of("staithe.keys.kind", "p-256"));
    ada = Somebody.of(service, grid.person(ADA));
    robot = Somebody.of(service, grid.person(GridAuthority.NAMESPACE + "/CN=robot.example.org"));
  }

  @AfterAll
  static void stop() {
    List.of(ada, robot).forEach(Somebody::close);
    service.close();
  }

  private static RestClient sending(Credential who, List<X509Certificate> chain) {
    return RestClient.of(
        service.url(),
        service.authority().issuer().certificate(),
        new Credential(who.key(), chain));
  }

  /** The robot's proxy from a delegation of Ada's that names it. */
  private static Credential acting(String id) throws Exception {
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    var asked = JsonMapper.shared().createObjectNode().put("request", key.pem());
    Answer acquired =
        robot.client().json("POST", "/api/delegations/" + id + "/acquire", asked.toString());
    assertThat(acquired.status()).as(acquired.body()).isEqualTo(200);
    return new Credential(
        key.key(), Pem.parseCertificates(acquired.json().get("chain").asString(), "the answer"));
  }

  @Test
  void serviceThatActsForSomebodyCannotReachForMoreInWhateverOrderItSendsItsChain()
      throws Exception {
    Open open = Shape.API.begin(ada.client());
    String own = "/api/delegations/" + open.id();
    Shape.API.put(
        ada.client(), open.id(), Forger.below(ada.credential()).forRequest(open.request()));
    String rules = "{\"acquirers\":[\"" + robot.name() + "\"]}";
    assertThat(ada.client().json("PUT", own + "/rules", rules).status()).isEqualTo(200);
    Credential acting = acting(open.id());
    X509Certificate proxy = acting.chain().getFirst();
    X509Certificate delegated = acting.chain().get(1);
    X509Certificate adas = ada.credential().certificate();
    X509Certificate selfMade =
        CertificateIssuer.create(
                DistinguishedName.parse(ADA),
                KeyKind.EC_P256,
                Duration.ofDays(1),
                Clock.systemUTC())
            .certificate();
    String before = ada.client().get(own).body();

    for (List<X509Certificate> sent :
        List.of(
            List.of(proxy, delegated, adas),
            List.of(proxy, adas, delegated),
            List.of(proxy, selfMade, delegated, adas),
            List.of(proxy, selfMade, adas, delegated))) {
      try (RestClient client = sending(acting, sent)) {
        assertThat(client.get("/whoami").json().get("user_dn").asString()).isEqualTo(ADA);
        assertThat(client.get("/api/delegations").json().get("delegations").isEmpty()).isTrue();
        assertThat(
                Stream.of(
                        client.get(own),
                        client.json("PUT", own + "/rules", rules),
                        client.send("POST", own + "/request", ""),
                        client.send("DELETE", own, ""))
                    .map(Answer::status))
            .containsOnly(404);
      }
      assertThat(ada.client().get(own).body()).isEqualTo(before);
      Trials.held();
    }
  }
}
