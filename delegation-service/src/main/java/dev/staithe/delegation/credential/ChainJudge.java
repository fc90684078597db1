package dev.staithe.delegation.credential;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.grid.ClientChainRules;
import dev.staithe.pki.grid.ClientTrustFolder;
import dev.staithe.pki.grid.DelegatedChainJudge;
import dev.staithe.pki.grid.DelegatedChainVerdict;
import dev.staithe.pki.grid.VomsTrust;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/** Judges chains by the trust as it is now. Thread-safe. */
final class ChainJudge {
  private final Supplier<ClientTrustFolder> trust;
  private final ClientChainRules rules;
  private final Supplier<VomsTrust> voms;
  private final Clock clock;
  private volatile CurrentJudge made;

  private record CurrentJudge(ClientTrustFolder of, VomsTrust voms, DelegatedChainJudge judge) {}

  ChainJudge(
      Supplier<ClientTrustFolder> trust,
      ClientChainRules rules,
      Supplier<VomsTrust> voms,
      Clock clock) {
    this.trust = trust;
    this.rules = rules;
    this.voms = voms;
    this.clock = clock;
    this.made = make(trust.get(), voms.get());
  }

  DelegatedChainVerdict judge(List<X509Certificate> chain, PublicKey pending, GridSubject caller) {
    CurrentJudge current = made;
    ClientTrustFolder newest = trust.get();
    VomsTrust servers = voms.get();
    if (current.of() != newest || current.voms() != servers) {
      current = make(newest, servers);
      made = current;
    }
    return current.judge().judge(chain, pending, caller);
  }

  private CurrentJudge make(ClientTrustFolder of, VomsTrust servers) {
    return new CurrentJudge(of, servers, new DelegatedChainJudge(of, rules, servers, clock));
  }
}
