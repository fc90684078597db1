package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * From nothing to a proxy in the hands of a service, and back, with {@code curl} and {@code
 * openssl} alone, as the scripts of sites do it.
 */
final class CurlFlowsIT {
  private static final String ADA = "/C=DE/O=Example/CN=Ada";

  @TempDir static Path folder;

  private static GridAuthority grid;
  private static RunningDelegation service;
  private static GridAuthority.Holder ada;
  private static GridAuthority.Holder robot;
  private static Commands commands;

  @BeforeAll
  static void start() {
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    service = RunningDelegation.start(folder, grid.trust(), Map.of());
    ada = grid.person(ADA);
    robot = grid.person("/C=DE/O=Example/CN=robot.example.org");
    commands = new Commands(folder.resolve("commands"));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Curl curl(GridAuthority.Holder who, String path) {
    return Curl.to(service.url() + path)
        .trusting(service.authority())
        .option("cert", who.certificate().toString())
        .option("key", who.key().toString());
  }

  private static JsonNode json(Curl.Response response) {
    return JsonMapper.shared().readTree(response.body());
  }

  @Test
  void wholeFlowOfFts() {
    // Two slashes, as its own client has them in every path.
    String id = json(curl(ada, "//whoami").run()).get("delegation_id").asString();
    assertThat(curl(ada, "//delegation/" + id).run().text()).isEqualTo("null");

    Curl.Response request = curl(ada, "//delegation/" + id + "/request").run();
    assertThat(request.status()).isEqualTo(200);
    assertThat(request.header("X-Delegation-ID")).contains(id);
    // Asked for nothing, one gets what clients of FTS can sign.
    assertThat(Forger.keyOf(request.text()).getAlgorithm()).isEqualTo("RSA");
    Path chain = commands.sign(ada, ADA, request.text());
    Curl.Response put = curl(ada, "//delegation/" + id + "/credential").upload(chain).run();
    assertThat(put.status()).as(put.text()).isEqualTo(201);

    assertThat(json(curl(ada, "//delegation/" + id).run()).get("termination_time").asString())
        .matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}");
    assertThat(curl(ada, "//delegation/" + id).method("DELETE").run().status()).isEqualTo(204);
    assertThat(curl(ada, "//delegation/" + id).run().text()).isEqualTo("null");
    assertThat(curl(ada, "//delegation/" + id).method("DELETE").run().status()).isEqualTo(404);
  }

  @Test
  void otherEmptySegmentsAreRefused() {
    for (String path :
        List.of(
            "///whoami",
            "/api//delegations",
            "//api//delegations",
            "/delegations//",
            "//..//x",
            "//../whoami",
            "//./whoami",
            "//x;y/whoami")) {
      Curl.Response response = curl(ada, path).run();
      assertThat(response.status()).as(path).isEqualTo(400);
      assertThat(response.text()).isEqualTo("the request cannot be served: Bad Request\n");
    }
  }

  @Test
  void wholeFlowOfArex() {
    Curl.Response request = curl(ada, "/arex/rest/1.0/delegations?action=new").method("POST").run();
    assertThat(request.status()).isEqualTo(201);
    String place = request.header("Location").orElseThrow();
    String id = place.substring(place.lastIndexOf('/') + 1);
    assertThat(
            curl(ada, place)
                .upload(commands.sign(ada, ADA, request.text()))
                .header("Content-Type", "application/x-pem-file")
                .run()
                .status())
        .isEqualTo(200);

    assertThat(curl(ada, "/arex/rest/1.0/delegations").run().text()).contains(id);
    String first = curl(ada, place + "?action=get").method("POST").run().text();
    assertThat(commands.verify(grid.certificate(), first)).contains("OK");

    Curl.Response renewal = curl(ada, place + "?action=renew").method("POST").run();
    assertThat(renewal.status()).isEqualTo(201);
    assertThat(curl(ada, place).upload(commands.sign(ada, ADA, renewal.text())).run().status())
        .isEqualTo(200);
    String second = curl(ada, place + "?action=get").method("POST").run().text();
    assertThat(second).isNotEqualTo(first);
    assertThat(commands.verify(grid.certificate(), second)).contains("OK");

    assertThat(curl(ada, place + "?action=delete").method("POST").run().status()).isEqualTo(202);
    assertThat(curl(ada, "/arex/rest/1.0/delegations").run().text()).doesNotContain(id);
  }

  @Test
  void serviceGetsAProxyWithItsOwnKeyAndActsAsThePerson() throws Exception {
    var begin =
        JsonMapper.shared()
            .createObjectNode()
            .put("id", "night")
            .set(
                "rules",
                JsonMapper.shared()
                    .readTree(
                        "{\"acquirers\":[\"/C=DE/O=Example/CN=robot.example.org\"],\"uses\":2}"));
    JsonNode begun =
        json(
            curl(ada, "/api/delegations")
                .header("Content-Type", "application/json")
                .body(begin.toString())
                .run());
    Path chain = commands.sign(ada, ADA, begun.get("request").asString());
    assertThat(curl(ada, "/api/delegations/night/credential").upload(chain).run().status())
        .isEqualTo(200);

    commands.run(
        "openssl",
        "req",
        "-new",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=whatever",
        "-keyout",
        "robot-proxy-key.pem",
        "-out",
        "robot-proxy.csr");
    Path commandsFolder = folder.resolve("commands");
    var ask = JsonMapper.shared().createObjectNode();
    ask.put("request", Files.readString(commandsFolder.resolve("robot-proxy.csr")));
    ask.put("lifetime", "1h");
    Curl.Response acquired =
        curl(robot, "/api/delegations/night/acquire")
            .header("Content-Type", "application/json")
            .body(ask.toString())
            .run();
    assertThat(acquired.status()).as(acquired.text()).isEqualTo(200);
    String proxy = json(acquired).get("chain").asString();

    assertThat(commands.verify(grid.certificate(), proxy)).contains("OK");
    Path file = commands.file("robot-proxy.pem", proxy);
    var acting = new GridAuthority.Holder(file, commandsFolder.resolve("robot-proxy-key.pem"));
    JsonNode who = json(curl(acting, "/whoami").run());
    assertThat(who.get("user_dn").asString()).isEqualTo(ADA);
    // By it nobody changes, or sees, what the person allowed.
    assertThat(curl(acting, "/api/delegations/night").method("DELETE").run().status())
        .isEqualTo(404);
    assertThat(json(curl(ada, "/api/delegations/night").run()).get("used").asInt()).isEqualTo(1);
  }
}
