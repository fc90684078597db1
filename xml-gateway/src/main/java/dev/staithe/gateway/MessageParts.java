package dev.staithe.gateway;

import static dev.staithe.service.OneLineFailure.started;

import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.gateway.trust.MemoryContexts;
import dev.staithe.gateway.trust.MemoryReplays;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.gateway.trust.SignerTrust;
import dev.staithe.pki.ClientChainRules;
import dev.staithe.pki.Credential;
import dev.staithe.tls.Reloadable;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What messages are judged with, and what is held open for it.
 *
 * @param surroundings for engines
 * @param contexts where contexts are
 * @param replays what came before
 * @param own the gateway's credential; null where no policy needs one
 * @param signers whose signatures are believed; null where no policy asks
 */
record MessageParts(
    Surroundings surroundings,
    ContextStore contexts,
    ReplayCache replays,
    @Nullable Reloadable<Credential> own,
    @Nullable SignerTrust signers)
    implements AutoCloseable {

  static MessageParts open(GatewayProperties properties, Clock clock) {
    MessageProperties message = properties.message();
    ContextStore contexts = new MemoryContexts(properties.contexts().limits(), clock);
    ReplayCache replays =
        properties.measuring() ? new Forgetful() : new MemoryReplays(message.replayMost(), clock);
    Reloadable<Credential> own = own(properties, clock);
    SignerTrust signers = signers(properties, clock);
    Surroundings surroundings =
        new Surroundings(
            () -> {
              if (own == null) {
                throw new IllegalStateException("staithe.message.certificate is not set");
              }
              return own.current();
            },
            signers != null
                ? signers
                : chain -> new Surroundings.Judgement.Doubted("staithe.message.trust is not set"),
            contexts,
            new Nobody(),
            clock);
    return new MessageParts(surroundings, contexts, replays, own, signers);
  }

  private static @Nullable Reloadable<Credential> own(GatewayProperties properties, Clock clock) {
    Path certificate = properties.message().certificate();
    Path key = properties.message().key();
    if (certificate == null || key == null) {
      return null;
    }
    return started(
        "staithe.message.certificate",
        () -> {
          try {
            return new Reloadable<>(
                "Message certificate " + certificate,
                List.of(certificate, key),
                properties.tls().checkInterval(),
                clock,
                () -> Credential.read(certificate, key));
          } catch (GeneralSecurityException e) {
            throw new IOException("cannot be used: " + e.getMessage(), e);
          }
        });
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
                    new ClientChainRules(
                        ClientChainRules.Revocation.valueOf(message.revocation().name()),
                        ClientChainRules.Namespaces.valueOf(message.namespaces().name()),
                        false),
                    message.known(),
                    properties.tls().checkInterval()),
                clock));
  }

  /** Where no users are configured. */
  private static final class Nobody implements Surroundings.Passwords {
    @Override
    public boolean check(String username, char[] password) {
      return false;
    }

    @Override
    public byte @Nullable [] of(String username) {
      return null;
    }
  }

  /** Takes everything again and again: for measuring. */
  private static final class Forgetful implements ReplayCache {
    @Override
    public Mark mark(List<Findings.Once> once) {
      return new Mark.First();
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
  }
}
