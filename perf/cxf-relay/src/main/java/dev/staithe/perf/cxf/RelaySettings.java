package dev.staithe.perf.cxf;

import java.net.URI;
import java.nio.file.Path;

/**
 * How a relay runs.
 *
 * @param folder holds {@code host.pem}, {@code host-key.pem} and {@code ca.pem}; where there is
 *     {@code crl.pem}, revocation is checked; where there is a folder {@code policies}, its files
 *     {@code NAME.xml} take the place of the built-in documents
 * @param port for HTTP, 0 for any
 * @param tlsPort for HTTPS, 0 for any
 * @param backEnd where all plain requests go
 * @param repeatable whether a message may come again, and be days old: for requests that were
 *     secured once and are sent many times
 */
record RelaySettings(Path folder, int port, int tlsPort, URI backEnd, boolean repeatable) {
  static final String USAGE = "FOLDER PORT TLS_PORT BACK_END [repeatable]";

  static RelaySettings of(String... arguments) {
    if (arguments.length < 4
        || arguments.length > 5
        || (arguments.length == 5 && !arguments[4].equals("repeatable"))) {
      throw new IllegalArgumentException("expected " + USAGE);
    }
    return new RelaySettings(
        Path.of(arguments[0]),
        Integer.parseInt(arguments[1]),
        Integer.parseInt(arguments[2]),
        URI.create(arguments[3]),
        arguments.length == 5);
  }
}
