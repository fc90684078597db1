package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.Networks;
import dev.staithe.storage.remote.ActingAs;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.ForwardedHeaders;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.remote.RemoteSession;
import dev.staithe.storage.remote.RemoteUrl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What redirects may and may not lead to. */
final class RedirectTests {
  private static final String TEXT = "somewhere else";

  @TempDir Path folder;

  private static ScriptedServer sending(String text) throws IOException {
    return ScriptedServer.plain((request, wire) -> wire.respond("200 OK", "", text));
  }

  private static ScriptedServer redirecting(String status, String location) throws IOException {
    return ScriptedServer.plain(
        (request, wire) -> wire.respond(status, "Location: " + location + "\r\n", "moved"));
  }

  @Test
  void copyWhenSourceRedirectsToOtherHostThenTokenIsNotSent() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer target = sending(TEXT);
        ScriptedServer source = redirecting("307 Temporary Redirect", target.url("/real"))) {
      Element.Answer answer =
          element.copy(
              "/data/file",
              "Source: " + source.url("/file"),
              "TransferHeaderAuthorization: Bearer secret",
              "TransferHeaderX-Api-Key: secret",
              "TransferHeaderCookie: secret",
              "SciTag: 100");
      assertThat(answer.last()).isEqualTo("success: Created");
      assertThat(source.requests().getFirst().headers())
          .containsEntry("authorization", "Bearer secret")
          .containsEntry("x-api-key", "secret")
          .containsEntry("scitag", "100");
      assertThat(target.requests().getFirst().headers())
          .doesNotContainKeys("authorization", "x-api-key", "cookie")
          .containsEntry("scitag", "100");
      assertThat(target.requests().getFirst().target()).isEqualTo("/real");
      assertThat(element.file("file")).hasContent(TEXT);
    }
  }

  @Test
  void copyWhenAnotherHostRedirectsBackThenTokenStaysDropped() throws Exception {
    try (Element element = Element.start(folder.resolve("here"))) {
      ScriptedServer[] other = new ScriptedServer[1];
      try (ScriptedServer source =
          ScriptedServer.plain(
              (request, wire) -> {
                if (request.target().equals("/file")) {
                  wire.respond("302 Found", "Location: " + other[0].url("/hop") + "\r\n", "");
                } else {
                  wire.respond("200 OK", "", TEXT);
                }
              })) {
        other[0] = redirecting("302 Found", source.url("/elsewhere"));
        try (ScriptedServer hop = other[0]) {
          element.copy(
              "/data/file",
              "Source: " + source.url("/file"),
              "TransferHeaderAuthorization: Bearer secret");
          assertThat(hop.requests()).hasSize(1);
          assertThat(source.requests().getLast().target()).isEqualTo("/elsewhere");
          assertThat(source.requests().getLast().headers()).doesNotContainKey("authorization");
        }
      }
    }
  }

  @Test
  void copyWhenSourceRedirectsWithinItselfThenTokenIsSentAgain() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  if (request.target().equals("/a/file")) {
                    wire.respond("301 Moved", "Location: ../b?x=1\r\n", "");
                  } else {
                    wire.respond("200 OK", "", TEXT);
                  }
                })) {
      element.copy(
          "/data/file",
          "Source: " + source.url("/a/file"),
          "TransferHeaderAuthorization: Bearer secret");
      assertThat(source.requests().getLast().headers())
          .containsEntry("authorization", "Bearer secret");
    }
  }

  @Test
  void copyWhenSourceRedirectsToPrivateAddressThenItIsRefused() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source = redirecting("302 Found", "http://10.0.0.1/latest/meta-data")) {
      Element.Answer answer = element.copy("/data/file", "Source: " + source.url("/file"));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body()).contains("its address is private or local");
    }
  }

  @Test
  void copyWhenSourceRedirectsToLoopbackThatIsNotAllowedThenItIsNotContacted() throws Exception {
    try (ScriptedServer inner = sending(TEXT);
        Element element =
            Element.start(
                folder.resolve("here"),
                settings -> networks(settings, Networks.parse(List.of("127.0.0.1/32"))))) {
      String target = "http://127.0.0.2:" + inner.port() + "/admin";
      try (ScriptedServer source = redirecting("307 x", target)) {
        assertThat(element.copy("/data/file", "Source: " + source.url("/file")).status())
            .isEqualTo(403);
        assertThat(inner.requests()).isEmpty();
      }
    }
  }

  @Test
  void copyThatLeadsToThisServerByAnUnknownNameOrARedirectIsRefused() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source = redirecting("307 x", element.url("/data/other"))) {
      element.put("other", new byte[] {1});
      for (String url :
          List.of("http://127.0.0.2:" + element.port() + "/data/other", source.url("/file"))) {
        Element.Answer answer = element.copy("/data/file", "Source: " + url);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("this server itself");
        assertThat(element.file("file")).doesNotExist();
      }
    }
  }

  @Test
  void copyWhenHttpsSourceRedirectsToHttpThenItIsRefused() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    try (ClientTls tls = TlsCopyTests.client(authority, TlsProvider.Choice.JDK);
        Element element = Element.start(folder.resolve("here"), s -> s, null, tls::engine);
        ScriptedServer plain = sending(TEXT);
        ScriptedServer source =
            ScriptedServer.tls(
                authority.serverContext(authority.localhost().credential()),
                (request, wire) ->
                    wire.respond("302 Found", "Location: " + plain.url("/x") + "\r\n", ""))) {
      Element.Answer answer = element.copy("/data/file", "Source: " + source.url("/file"));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("redirect from https to http refused");
      assertThat(plain.requests()).isEmpty();
    }
  }

  @Test
  void sessionWhenSourceRedirectsToOtherHostAndBackThenTheUsersCertificateIsNotShownAgain()
      throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    SSLContext own = authority.serverContext(authority.localhost().credential());
    ScriptedServer[] source = new ScriptedServer[1];
    List<Integer> shownTo = new ArrayList<>();
    List<Integer> openedTo = new ArrayList<>();
    try (ClientTls tls = TlsCopyTests.client(authority, TlsProvider.Choice.JDK);
        ScriptedServer other =
            ScriptedServer.tls(
                own,
                (request, wire) ->
                    wire.respond("302 Found", "Location: " + source[0].url("/end") + "\r\n", ""));
        ScriptedServer first =
            ScriptedServer.tls(
                own,
                (request, wire) -> {
                  if (request.target().equals("/file")) {
                    wire.respond("302 Found", "Location: " + other.url("/x") + "\r\n", "");
                  } else {
                    wire.respond("200 OK", "", "");
                  }
                });
        RemoteClient client =
            new RemoteClient(
                Element.settings(),
                (host, port) -> {
                  openedTo.add(port);
                  return tls.engine(host, port);
                },
                port -> false)) {
      source[0] = first;
      ActingAs as =
          new ActingAs(
              (host, port) -> {
                shownTo.add(port);
                return tls.engine(host, port);
              },
              Instant.MAX);
      RemoteUrl start = ((RemoteUrl.Parsed.Valid) RemoteUrl.parse(first.url("/file"))).url();
      try (RemoteSession session =
          new RemoteSession(
              client, new CopyProgress(), start, new ForwardedHeaders(List.of()), as)) {
        assertThat(session.request("HEAD", List.of()).head().status()).isEqualTo(200);

        assertThat(shownTo).containsExactly(first.port());
        assertThat(openedTo).containsExactly(other.port(), first.port());

        // The next request begins with the user's certificate again, on no connection without.
        assertThat(session.request("HEAD", List.of()).head().status()).isEqualTo(200);
        assertThat(shownTo).containsExactly(first.port(), first.port());
      }
    }
  }

  @Test
  void copyWhenRedirectsNeverEndThenItGivesUpAfterTwenty() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source = redirecting("302 Found", "/again")) {
      Element.Answer answer = element.copy("/data/file", "Source: " + source.url("/file"));
      assertThat(answer.body()).contains("more than 20 redirects");
      assertThat(source.requests()).hasSize(21);
    }
  }

  @Test
  void copyWhenLocationHasUserPartThenItIsRefused() throws Exception {
    try (Element element = Element.start(folder.resolve("here"));
        ScriptedServer source = redirecting("302 Found", "http://user:pw@127.0.0.1/x")) {
      assertThat(element.copy("/data/file", "Source: " + source.url("/file")).body())
          .contains("cannot be followed")
          .doesNotContain("pw");
    }
  }

  @Test
  void copyWhenCredentialWouldTravelInClearThenItIsRefusedByDefault() throws Exception {
    try (Element element = Element.start(folder.resolve("here"), RedirectTests::clearForbidden);
        ScriptedServer source = sending(TEXT)) {
      Element.Answer answer =
          element.copy(
              "/data/file",
              "Source: " + source.url("/file"),
              "TransferHeaderAuthorization: Bearer secret");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("over plain http").doesNotContain("secret");
      assertThat(source.requests()).isEmpty();
      assertThat(element.copy("/data/file", "Source: " + source.url("/file")).last())
          .isEqualTo("success: Created");
    }
  }

  static CopySettings networks(CopySettings s, Networks allowed) {
    return SettingsDraft.like(s).allowedNetworks(allowed).done();
  }

  private static CopySettings clearForbidden(CopySettings s) {
    return SettingsDraft.like(s).credentialsOverPlainHttp(false).done();
  }
}
