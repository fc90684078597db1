package dev.staithe.cli.delegation;

import static dev.staithe.cli.program.StaitheCommand.required;

import dev.staithe.cli.certificate.CredentialFile;
import dev.staithe.cli.certificate.KeyTypes;
import dev.staithe.cli.certificate.Lifetime;
import dev.staithe.cli.certificate.ProxyOptions;
import dev.staithe.cli.certificate.ProxyReport;
import dev.staithe.cli.program.StaitheCommand;
import dev.staithe.delegation.client.AcquireRules;
import dev.staithe.delegation.client.AcquireWish;
import dev.staithe.delegation.client.Acquired;
import dev.staithe.delegation.client.Delegation;
import dev.staithe.delegation.client.HeldDelegation;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code delegate}: lets services act for one by X.509 proxies. */
@Command(
    name = "delegate",
    mixinStandardHelpOptions = true,
    description = {
      "Lets services act for one: gives a proxy to a service of delegation, from which those acquire"
          + " their own whom one has named."
    },
    subcommands = {
      DelegateCommand.Put.class,
      DelegateCommand.Info.class,
      DelegateCommand.Renew.class,
      DelegateCommand.Destroy.class,
      DelegateCommand.Acquire.class
    })
public final class DelegateCommand {
  @ParentCommand private @Nullable StaitheCommand program;

  private abstract static class OfDelegations implements Callable<Integer> {
    @ParentCommand private @Nullable DelegateCommand delegations;

    @Mixin final DelegationOptions service = new DelegationOptions();

    final StaitheCommand staithe() {
      return required(required(delegations).program);
    }

    /** What was delegated, and until when. */
    final void tell(HeldDelegation delegated, Duration wanted, String valid) {
      StaitheCommand staithe = staithe();
      Instant now = staithe.clock().instant();
      if (delegated.notAfter().isBefore(now.plus(wanted).minusSeconds(60))) {
        staithe
            .terminal()
            .note(
                "the certificate allows less than "
                    + valid
                    + ": the delegation ends at "
                    + ProxyReport.until(delegated.notAfter()));
      }
      if (service.json) {
        staithe.json(
            Map.of("id", delegated.id(), "notAfter", ProxyReport.until(delegated.notAfter())));
      } else {
        staithe.out().println(delegated.id());
        staithe.terminal().progress("delegated until " + ProxyReport.until(delegated.notAfter()));
      }
    }
  }

  private abstract static class OfOne extends OfDelegations {
    @Parameters(
        arity = "0..1",
        paramLabel = "ID",
        description = "which delegation; default: that of the last delegate put")
    @Nullable String id;

    final String id(DelegationDoor door) throws IOException {
      String which = id == null ? door.where().id() : id;
      if (which.isEmpty()) {
        throw new IOException("which delegation? its id is what staithe delegate put has printed");
      }
      return which;
    }
  }

  /** {@code delegate put}. */
  @Command(
      name = "put",
      mixinStandardHelpOptions = true,
      description = "Delegates, and prints the id of the delegation.")
  static final class Put extends OfDelegations {
    @Parameters(
        arity = "0..1",
        paramLabel = "ID",
        description = "letters, digits and a few signs; default: the one that the service gives")
    private @Nullable String id;

    @Mixin private ProxyOptions options = new ProxyOptions();

    @Option(
        names = "--acquirer",
        paramLabel = "DN",
        description =
            "subject of a service that may acquire, as /DC=org/CN=host; repeated for several;"
                + " default: what the service has by default, else nobody")
    private List<String> acquirers = new ArrayList<>();

    @Option(names = "--uses", paramLabel = "N", description = "how often; default: any number")
    private @Nullable Integer uses;

    @Option(
        names = "--hops",
        paramLabel = "N",
        description = "how many services further those who acquire may let act; default: 0, none")
    private @Nullable Integer hops;

    @Option(
        names = "--longest",
        description = "how long what is acquired is valid at most; default: as the delegation")
    private @Nullable String longest;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = staithe();
      AcquireRules rules = rules();
      ProxyTerms terms = terms();
      try (DelegationDoor door = service.asUser(staithe)) {
        HeldDelegation delegated = door.put(id == null ? "" : id, rules, terms);
        // First of all: where it cannot be remembered, nobody else could say which one lives.
        tell(delegated, terms.lifetime(), options.valid());
        staithe.profile().write(door.where().withId(delegated.id()));
        return 0;
      }
    }

    /** The proxy itself bounds the hops: one is acquired, and each further service takes two. */
    private ProxyTerms terms() throws IOException {
      ProxyTerms terms = options.terms();
      Integer below = hops;
      return below == null || terms.pathLength() != null || options.legacy()
          ? terms
          : terms.withPathLength(2 * below + 1);
    }

    private @Nullable AcquireRules rules() throws IOException {
      Integer most = uses;
      Integer below = hops;
      Duration atMost = longest == null ? null : Lifetime.read(longest);
      if (most != null && most < 1) {
        throw new IOException("--uses " + most + ": 1 or more");
      }
      if (below != null && below < 0) {
        throw new IOException("--hops " + below + ": 0 or more");
      }
      if (atMost != null && !atMost.isPositive()) {
        throw new IOException("--longest " + longest + ": a proxy is valid for some time");
      }
      if (acquirers.isEmpty()) {
        if (most != null || atMost != null) {
          throw new IOException("--uses and --longest go with --acquirer DN");
        }
        return null;
      }
      var named = new ArrayList<GridSubject>();
      for (String each : acquirers) {
        named.add(subject(each));
      }
      return new AcquireRules(named, most, below == null ? 0 : below, options.limited(), atMost);
    }
  }

  /** {@code delegate info}. */
  @Command(
      name = "info",
      mixinStandardHelpOptions = true,
      description = {
        "Shows one's delegations, or one of them; exit code 1 where that has ended or is about to."
      })
  static final class Info extends OfOne {
    @Option(
        names = "--left",
        description =
            "how long it must still be valid, as 1h; default: 0s. Without an id that of the last"
                + " delegate put must be")
    private @Nullable String least;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = staithe();
      Duration wanted = least == null ? Duration.ZERO : Lifetime.read(least);
      try (DelegationDoor door = service.asUser(staithe)) {
        Instant now = staithe.clock().instant();
        if (id == null && least == null && door.tellsAll()) {
          List<Map<String, Object>> all =
              door.list().stream().map(each -> DelegationReport.of(each, now)).toList();
          DelegationReport.show(staithe, service.json, all, all);
          return 0;
        }
        String which = id(door);
        Map<String, Object> told;
        Instant end;
        if (door.tellsAll()) {
          Delegation found = door.look(which);
          end = found.notAfter();
          told = DelegationReport.of(found, now);
        } else {
          end = door.end(which);
          told = DelegationReport.of(which, end, now);
        }
        DelegationReport.show(staithe, service.json, told, List.of(told));
        Duration left = Duration.between(now, end);
        if (!left.isPositive()) {
          throw new IOException("the delegation has ended: staithe delegate put makes another");
        }
        if (left.compareTo(wanted) < 0) {
          throw new IOException("the delegation ends in less than " + least);
        }
        return 0;
      }
    }
  }

  /** {@code delegate renew}. */
  @Command(
      name = "renew",
      mixinStandardHelpOptions = true,
      description = {
        "Gives a delegation a new proxy under the same id and the same rules; the old one is used"
            + " until then."
      })
  static final class Renew extends OfOne {
    @Mixin private ProxyOptions options = new ProxyOptions();

    @Override
    public Integer call() throws IOException {
      ProxyTerms terms = options.terms();
      try (DelegationDoor door = service.asUser(staithe())) {
        tell(door.renew(id(door), terms), terms.lifetime(), options.valid());
        return 0;
      }
    }
  }

  /** {@code delegate destroy}. */
  @Command(
      name = "destroy",
      mixinStandardHelpOptions = true,
      description = "Ends a delegation: nothing more is acquired from it.")
  static final class Destroy extends OfOne {
    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = staithe();
      try (DelegationDoor door = service.asUser(staithe)) {
        String ended = door.destroy(id(door));
        if (service.json) {
          staithe.json(Map.of("destroyed", ended));
        } else {
          staithe.out().println("destroyed " + ended);
        }
        return 0;
      }
    }
  }

  /** {@code delegate acquire}. */
  @Command(
      name = "acquire",
      mixinStandardHelpOptions = true,
      description = {
        "As a service that somebody has named: gets a proxy for a key that is made here. All goes"
            + " into one file, whose name is printed."
      })
  static final class Acquire extends OfDelegations {
    @Parameters(paramLabel = "ID", description = "the delegation, as its owner has told it")
    private String id = "";

    @Option(
        names = "--delegator",
        paramLabel = "DN",
        description = "whose it must be; a service should say so where it knows for whom it works")
    private @Nullable String delegator;

    @Option(names = "--valid", description = "as 12h, 90m, 2d; default: as long as is allowed")
    private @Nullable String valid;

    @Option(names = "--limited", description = "may not start programs (Globus limited)")
    private boolean limited;

    @Option(
        names = "--path-length",
        paramLabel = "N",
        description = "how many proxies may be signed below it; default: as many as are allowed")
    private @Nullable Integer pathLength;

    @Option(
        names = "--key-type",
        description = "ec (P-256), rsa (2048 bits) or rsa-3072; default: rsa")
    private String keyType = "rsa";

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "default: $X509_USER_PROXY, or /tmp/x509up_u<uid>")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException {
      StaitheCommand staithe = staithe();
      AcquireWish wish = wish();
      Duration wanted = wish.lifetime() == null ? Duration.ZERO : wish.lifetime();
      try (DelegationDoor door = service.asService(staithe)) {
        Path file = out == null ? staithe.profile().gridFile() : out;
        service.requireOther(file);
        Acquired acquired = door.acquire(id, wish);
        CredentialFile.write(file, acquired.credential());
        ProxyReport.written(
            staithe,
            acquired.credential(),
            file,
            service.json,
            wanted,
            "the delegation allows less than " + valid);
        return 0;
      }
    }

    private AcquireWish wish() throws IOException {
      KeyKind kind = KeyTypes.read(keyType);
      Duration lifetime = valid == null ? null : Lifetime.read(valid);
      if (lifetime != null && !lifetime.isPositive()) {
        throw new IOException("--valid " + valid + ": a proxy is valid for some time");
      }
      Integer length = pathLength;
      if (length != null && length < 0) {
        throw new IOException("--path-length " + length + ": 0 or more");
      }
      return new AcquireWish(
          kind, delegator == null ? null : subject(delegator), lifetime, length, limited);
    }
  }

  private static GridSubject subject(String written) throws IOException {
    try {
      return GridSubject.parse(written);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage());
    }
  }
}
