package dev.staithe.cli.certificate;

import dev.staithe.pki.grid.ProxyForm;
import dev.staithe.pki.grid.ProxyPolicy;
import dev.staithe.pki.grid.ProxyTerms;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What a proxy that is signed here is to be like. */
public final class ProxyOptions {
  @Option(names = "--valid", description = "as 12h, 90m, 2d; default: 12h")
  private String valid = "12h";

  @ArgGroup private @Nullable Rights rights;

  @Option(
      names = "--path-length",
      paramLabel = "N",
      description = "how many proxies may be signed below it; default: any number")
  private @Nullable Integer pathLength;

  @Option(
      names = "--legacy",
      description = "as Globus 2 had them, for services from before RFC 3820 (2004)")
  private boolean legacy;

  private static final class Rights {
    @Option(names = "--limited", description = "may not start programs (Globus limited)")
    private boolean limited;

    @Option(names = "--independent", description = "has none of the rights of its maker")
    private boolean independent;
  }

  /** As it was asked for, in the words that it was asked in. */
  public String valid() {
    return valid;
  }

  /** Whether it is to start no jobs. */
  public boolean limited() {
    Rights chosen = rights;
    return chosen != null && chosen.limited;
  }

  /** Whether it is to have the form from before RFC 3820. */
  public boolean legacy() {
    return legacy;
  }

  /**
   * The terms.
   *
   * @throws IOException where they make no sense, in one line
   */
  public ProxyTerms terms() throws IOException {
    Duration lifetime = Lifetime.read(valid);
    if (!lifetime.isPositive()) {
      throw new IOException("--valid " + valid + ": a proxy is valid for some time");
    }
    Integer length = pathLength;
    if (length != null && length < 0) {
      throw new IOException("--path-length " + length + ": 0 or more");
    }
    Rights chosen = rights;
    boolean independent = chosen != null && chosen.independent;
    if (legacy && (length != null || independent)) {
      throw new IOException("--legacy: such proxies know no --path-length and no --independent");
    }
    return new ProxyTerms(
        independent
            ? ProxyPolicy.INDEPENDENT
            : limited() ? ProxyPolicy.LIMITED : ProxyPolicy.INHERIT_ALL,
        length,
        lifetime,
        legacy ? ProxyForm.LEGACY : ProxyForm.RFC3820,
        false);
  }
}
