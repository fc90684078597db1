package dev.staithe.delegation.credential;

import static dev.staithe.delegation.credential.Site.kind;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.pki.Credential;
import dev.staithe.pki.grid.ClientVerdict;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the parts of the contract begin with: people, one database, and a node on it. */
abstract class DelegationsContract {
  static final DelegationId JOB = new DelegationId("job");

  @TempDir Path folder;
  Site site;
  Delegations node;
  Credential ada;
  Credential bob;
  Credential service;

  /** An empty database. */
  abstract DataSource database() throws Exception;

  /** When the site's clock begins. */
  Instant begin() {
    return Instant.now();
  }

  @BeforeEach
  void open() throws Exception {
    site = new Site(folder, database(), begin());
    node = site.node();
    ada = site.person("Ada");
    bob = site.person("Bob");
    service = site.person("service");
  }

  @AfterEach
  void closeSite() {
    site.close();
  }

  /** The outcome is that refusal, it is in the audit log, and no row is another. */
  void refused(Kind expected, Callable<?> attempt) throws Exception {
    List<String> before = site.rows();
    List<String> said = site.audited().lines().toList();

    assertThat(kind(attempt.call())).isEqualTo(expected);

    assertThat(site.rows()).isEqualTo(before);
    assertThat(site.audited().lines().filter(line -> !said.contains(line)))
        .singleElement()
        .asString()
        .contains("\"outcome\":\"" + DelegationMetrics.word(expected) + "\"", "\"reason\":");
  }

  ClientVerdict.Accepted assertBelieved(List<X509Certificate> chain) {
    ClientVerdict verdict = site.verdict(chain);
    assertThat(verdict).isInstanceOf(ClientVerdict.Accepted.class);
    return (ClientVerdict.Accepted) verdict;
  }

  static <T> List<T> together(List<Callable<T>> all) throws Exception {
    CyclicBarrier start = new CyclicBarrier(all.size());
    List<T> outcomes = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(all.size())) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> each : all) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return each.call();
                }));
      }
      for (Future<T> each : running) {
        outcomes.add(each.get());
      }
    }
    return outcomes;
  }
}
