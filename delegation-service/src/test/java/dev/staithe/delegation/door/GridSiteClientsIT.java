package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.GridSiteClients;
import dev.staithe.testkit.clients.GridSiteClients.Said;
import dev.staithe.testkit.trust.GridAuthority;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** GridSite's own commands, as Debian has them, against the service. */
final class GridSiteClientsIT {
  @TempDir static Path folder;

  private static GridAuthority grid;
  private static RunningDelegation service;
  private static GridSiteClients ada;
  private static GridSiteClients bob;

  @BeforeAll
  static void start() throws Exception {
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    // Their proxies are those of the Globus Toolkit 2, over SHA-1.
    service =
        RunningDelegation.start(
            folder, grid.trust(), Map.of("staithe.client-certificates.legacy-proxies", true));
    ada = clients("Ada", service);
    bob = clients("Bob", service);
  }

  private static GridSiteClients clients(String name, RunningDelegation at) throws Exception {
    return GridSiteClients.in(
        Files.createTempDirectory(folder, name),
        grid.person(GridAuthority.NAMESPACE + "/CN=" + name),
        at.authority().certificateFile(),
        URI.create(at.url() + SoapDelegationDoor.PATH));
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  /** The id. The command ends before the service has answered what it put. */
  private static String put(GridSiteClients by, String... options) {
    Said said = by.put(options);
    assertThat(said.exitCode()).as("%s", said).isZero();
    assertThat(said.output()).matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    Eventually.holds(
        "the proxy is kept: " + service.audit(), () -> puts(service, said.output(), "ok") > 0);
    return said.output();
  }

  private static long puts(RunningDelegation at, String id, String outcome) {
    return at.audit().stream()
        .map(JsonMapper.shared()::readTree)
        .filter(line -> line.path("event").asString().equals("delegation.put"))
        .filter(line -> line.path("id").asString().equals(id))
        .filter(line -> line.path("outcome").asString().equals(outcome))
        .count();
  }

  private static Instant end(GridSiteClients by, String id) {
    Said said = by.unixTime(id);
    assertThat(said.exitCode()).as("%s", said).isZero();
    return Instant.ofEpochSecond(Long.parseLong(said.output()));
  }

  @Test
  void htproxyputDelegatesAndTheOthersTellRenewAndDestroyIt() {
    Instant before = Instant.now();
    String id = put(ada, "--valid", "60");

    Instant first = end(ada, id);
    assertThat(first).isAfter(before.plusSeconds(3000)).isBefore(Instant.now().plusSeconds(3700));
    Said time = ada.time(id);
    assertThat(time.exitCode()).isZero();
    assertThat(time.output()).contains("UTC");

    Said renewed = ada.renew(id);
    assertThat(renewed.exitCode()).as("%s", renewed).isZero();
    assertThat(renewed.output()).isEqualTo(id);
    Eventually.holds("the new proxy is kept", () -> puts(service, id, "ok") == 2);
    assertThat(end(ada, id)).isAfter(first);

    assertThat(ada.destroy(id).exitCode()).isZero();
    Said gone = ada.unixTime(id);
    assertThat(gone.exitCode()).isNotZero();
    assertThat(gone.errors()).contains("DelegationException");
  }

  @Test
  void commandsSayOurLineWhereTheyAreRefused() {
    String id = put(ada);

    Said others = bob.unixTime(id);
    Said nobodys = bob.unixTime("unheard-of");

    assertThat(others.exitCode()).isNotZero();
    assertThat(others.errors()).contains("Client").isEqualTo(nobodys.errors());
    assertThat(bob.destroy(id).exitCode()).isNotZero();
    assertThat(end(ada, id)).isAfter(Instant.now());
  }

  @Test
  void proxiesOfBeforeAreRefusedUnlessTheSiteTakesThem() throws Exception {
    try (RunningDelegation strict =
        RunningDelegation.start(folder.resolve("strict"), grid.trust(), Map.of())) {
      GridSiteClients refused = clients("Ada", strict);

      // It never reads the answer to what it put.
      Said said = refused.put();

      assertThat(said.exitCode()).isZero();
      Eventually.holds(
          "the proxy is refused: " + strict.audit(),
          () -> puts(strict, said.output(), "bad-proxy") == 1);
      assertThat(strict.audit().getLast()).contains("SHA1");
      assertThat(Store.rows(strict).get("delegation")).isEmpty();
      assertThat(refused.unixTime(said.output()).exitCode()).isNotZero();
    }
  }
}
