package dev.staithe.authn.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.clients.ClientOutcome.Done;
import dev.staithe.authn.clients.ClientOutcome.Invalid;
import dev.staithe.authn.oauth.FlowSteps;
import dev.staithe.authn.oauth.OauthStore;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClientsTests {
  private final OauthStore store = new OauthStore();
  private final Clients clients = new Clients(store.source(), Clock.systemUTC());

  @AfterEach
  void stop() {
    store.close();
  }

  private static Client with(List<String> redirects) {
    Client d = FlowSteps.draft();
    return new Client(
        d.id(),
        d.name(),
        d.confidential(),
        redirects,
        d.logoutUris(),
        d.grants(),
        d.scopes(),
        d.audiences(),
        d.consent(),
        d.secondFactor(),
        d.algorithm(),
        d.accessLifetime(),
        d.refreshLifetime(),
        true);
  }

  @Test
  void clientIsKeptAsItWasRegisteredAndItsSecretOnlyAsADigest() {
    Client draft = FlowSteps.draft();

    Done done = (Done) clients.register(draft);

    assertThat(clients.find(draft.id())).contains(draft);
    assertThat(clients.list()).containsExactly(draft);
    assertThat(done.secret()).hasSize(43);
    Clients.StoredClient kept = clients.kept(draft.id()).orElseThrow();
    assertThat(kept.digest()).isNotEqualTo(done.secret());
    assertThat(new ClientSecrets().matches(done.secret(), kept.digest())).isTrue();
    assertThat(new ClientSecrets().matches(kept.digest(), kept.digest())).isFalse();
    assertThat(done.toString()).doesNotContain(String.valueOf(done.secret()));
  }

  @Test
  void publicClientHasNoSecret() {
    Client draft = FlowSteps.publicDraft();

    assertThat(((Done) clients.register(draft)).secret()).isNull();
    assertThat(clients.newSecret(draft.id())).isInstanceOf(Invalid.class);
    assertThat(clients.find(draft.id())).contains(draft);
  }

  @Test
  void idIsRegisteredOnce() {
    Client draft = FlowSteps.draft();
    clients.register(draft);

    assertThat(clients.register(draft)).isEqualTo(new ClientOutcome.Exists(draft.id()));
  }

  @Test
  void deletedClientIsGone() {
    Client draft = FlowSteps.draft();
    clients.register(draft);

    assertThat(clients.delete(draft.id())).isEqualTo(new ClientOutcome.Deleted(draft));
    assertThat(clients.delete(draft.id())).isEqualTo(new ClientOutcome.Unknown(draft.id()));
    assertThat(clients.newSecret(draft.id())).isEqualTo(new ClientOutcome.Unknown(draft.id()));
  }

  @Test
  void redirectUriThatSendsCodesAstrayIsRefused() {
    for (String uri :
        List.of(
            "http://app.example.org/cb",
            "https://app.example.org/cb#x",
            "https://user@app.example.org/cb",
            "//app.example.org/cb",
            "/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "https:///cb",
            "https://app.example.org/a b")) {
      assertThat(clients.register(with(List.of(uri)))).as(uri).isInstanceOf(Invalid.class);
    }
    for (String uri :
        List.of("https://a.example/cb", "http://127.0.0.1/cb", "http://[::1]/cb", "org.app:/cb")) {
      assertThat(clients.register(with(List.of(uri)))).as(uri).isInstanceOf(Done.class);
    }
  }
}
