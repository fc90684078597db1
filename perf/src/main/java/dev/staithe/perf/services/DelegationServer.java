package dev.staithe.perf.services;

import dev.staithe.peers.process.FirstAnswer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.perf.peers.SingleProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our delegation service, running. Not thread-safe. */
public final class DelegationServer extends SingleProcess {
  /** How the threads are named that fill the stock; those that make a key at once are not. */
  public static final String FILLERS = "keys-0";

  private static final Pattern STOCKED =
      Pattern.compile("(?m)^staithe_keys_stocked(?:\\{[^}]*})? ([0-9.]+)");

  /** With a busy neighbour a key takes a second. */
  private static final Duration FILLING = Duration.ofMinutes(10);

  /** Its answer to a look has a higher priority than its keys. */
  private static final int LOOK_AGAIN_MS = 500;

  private final URI url;
  private final Path authority;
  private final int stock;

  /**
   * @param url without a slash at the end
   * @param stock how many keys it makes ahead
   */
  DelegationServer(URI url, ManagedProcess process, Path authority, int stock, String command) {
    super(process, command);
    this.url = url;
    this.authority = authority;
    this.stock = stock;
  }

  /** Its address, without a slash at the end. */
  public URI url() {
    return url;
  }

  /** Where it is spoken to in SOAP. */
  public URI soap() {
    return url.resolve("/services/delegation");
  }

  /**
   * How many RSA keys are ready, by its metrics.
   *
   * @throws IOException where it does not say so
   */
  public int stocked() throws IOException {
    String metrics = FirstAnswer.fetched(url.resolve("/.staithe/metrics"), authority);
    Matcher found = STOCKED.matcher(metrics);
    if (!found.find()) {
      throw new IOException("its metrics do not tell of keys in stock");
    }
    return (int) Double.parseDouble(found.group(1));
  }

  /** Waits until its stock is full, so that nothing is made any more; at once where it has none. */
  public void awaitStock() throws IOException {
    if (stock == 0) {
      return;
    }
    try {
      process()
          .await(
              "fill its stock of keys",
              FILLING,
              LOOK_AGAIN_MS,
              () -> {
                try {
                  return stocked() >= stock;
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
