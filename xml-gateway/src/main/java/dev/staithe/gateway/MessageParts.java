package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.trust.AuthnService;
import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.gateway.trust.KnownUsers;
import dev.staithe.gateway.trust.MemoryContexts;
import dev.staithe.gateway.trust.MemoryReplays;
import dev.staithe.gateway.trust.PasswordBrake;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.gateway.trust.SignerTrust;
import dev.staithe.gateway.trust.UserFile;
import dev.staithe.http.BoundedFetch;
import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.tls.ClientTls;
import dev.staithe.tls.TlsProvider;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;

/**
 * What messages are judged with, and what is held open for it.
 *
 * @param surroundings for engines
 * @param contexts where contexts are
 * @param replays what came before
 * @param own the gateway's credential; null where no policy needs one
 * @param signers whose signatures are believed; null where no policy asks
 * @param users whose passwords are known
 * @param brake in front of these
 * @param authn whose tokens are taken; null for none
 * @param shared what several gateways share
 */
record MessageParts(
    Surroundings surroundings,
    ContextStore contexts,
    ReplayCache replays,
    @Nullable MessageCredential own,
    @Nullable SignerTrust signers,
    KnownUsers users,
    PasswordBrake brake,
    @Nullable AuthnService authn,
    SharedStore shared)
    implements AutoCloseable {

  static MessageParts open(
      GatewayProperties properties, @Nullable ClientTls tls, TlsProvider provider, Clock clock) {
    SharedStore shared = SharedStore.open(properties, provider, clock);
    ContextStore contexts =
        shared.redis() != null
            ? shared.redis().contexts()
            : new MemoryContexts(properties.contexts().limits(), clock);
    ReplayCache replays =
        properties.measuring()
            ? new NoReplayCache()
            : shared.redis() != null
                ? shared.redis().replays()
                : new MemoryReplays(properties.message().replayMost(), clock);
    AuthnService authn = authn(properties, tls);
    MessageCredential own = own(properties, clock);
    SignerTrust signers = signers(properties, clock);
    KnownUsers users =
        new KnownUsers(users(properties, clock), properties.users().authn() ? authn : null);
    PasswordBrake brake = new PasswordBrake(clock);
    Surroundings surroundings =
        new Surroundings(
            own == null ? MessageParts::none : own,
            signers != null
                ? signers
                : chain -> new Surroundings.Judgement.Untrusted("staithe.message.trust is not set"),
            contexts,
            brake.before(users),
            clock);
    return new MessageParts(
        surroundings, contexts, replays, own, signers, users, brake, authn, shared);
  }

  private static Credential none() {
    throw new Surroundings.Unavailable("staithe.message.certificate is not set", null);
  }

  private static @Nullable MessageCredential own(GatewayProperties properties, Clock clock) {
    Path certificate = properties.message().certificate();
    Path key = properties.message().key();
    if (certificate == null || key == null) {
      return null;
    }
    return started(
        "staithe.message.certificate",
        () -> {
          try {
            return new MessageCredential(certificate, key, properties.tls().checkInterval(), clock);
          } catch (GeneralSecurityException e) {
            throw new IOException("cannot be used: " + e.getMessage(), e);
          }
        });
  }

  private static @Nullable UserFile users(GatewayProperties properties, Clock clock) {
    Path file = properties.users().file();
    return file == null
        ? null
        : started(
            "staithe.users.file",
            () -> UserFile.open(file, properties.tls().checkInterval(), clock));
  }

  private static @Nullable SignerTrust signers(GatewayProperties properties, Clock clock) {
    MessageProperties message = properties.message();
    Path trust = message.trust();
    if (trust == null) {
      return null;
    }
    return started(
        "staithe.message.trust",
        () ->
            SignerTrust.open(
                new SignerTrust.Settings(
                    trust,
                    new ClientChainRules(message.revocation(), message.namespaces(), false),
                    message.known(),
                    properties.tls().checkInterval()),
                clock));
  }

  private static @Nullable AuthnService authn(
      GatewayProperties properties, @Nullable ClientTls tls) {
    AuthnProperties authn = properties.authn();
    if (authn == null) {
      return null;
    }
    return new AuthnService(
        authn.settings(), BoundedFetch.client(tls == null ? null : tls.context(), authn.timeout()));
  }

  /** Whom a token stands for. */
  Function<String, Caller.@Nullable Token> bearers() {
    AuthnService service = authn;
    return token -> service == null ? null : service.bearer(token);
  }

  /** What is wrong with the stores: messages are refused then. */
  Health health() {
    String trouble = contexts.trouble() != null ? contexts.trouble() : replays.trouble();
    return trouble == null
        ? Health.up().build()
        : Health.status("DEGRADED").withDetail("trouble", trouble).build();
  }

  /** Takes everything again and again: for measuring. */
  private static final class NoReplayCache implements ReplayCache {
    @Override
    public Mark mark(List<Findings.Once> once) {
      return new Mark.First();
    }

    @Override
    public Instant since() {
      return Instant.EPOCH;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public @Nullable String trouble() {
      return "nothing is remembered while staithe.measuring is set";
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {
    contexts.close();
    replays.close();
    if (own != null) {
      own.close();
    }
    if (signers != null) {
      signers.close();
    }
    users.close();
    shared.close();
  }
}
