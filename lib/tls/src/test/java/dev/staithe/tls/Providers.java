package dev.staithe.tls;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Both implementations; Conscrypt's absence is a failure and no reason to skip. */
final class Providers {
  static final TlsProvider JDK = TlsProvider.choose(TlsProvider.Choice.JDK);
  static final TlsProvider CONSCRYPT = TlsProvider.choose(TlsProvider.Choice.CONSCRYPT);

  private Providers() {}

  /** Client, server, protocol. */
  static Stream<Arguments> pairs() {
    return Stream.of(CONSCRYPT, JDK)
        .flatMap(
            client ->
                Stream.of(CONSCRYPT, JDK)
                    .flatMap(
                        server ->
                            Stream.of("TLSv1.3", "TLSv1.2")
                                .map(protocol -> Arguments.of(client, server, protocol))));
  }

  static List<TlsProvider> all() {
    return List.of(CONSCRYPT, JDK);
  }
}
