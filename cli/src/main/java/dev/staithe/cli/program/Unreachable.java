package dev.staithe.cli.program;

import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLHandshakeException;

/** Why a host did not answer, in words that say where to look. */
public final class Unreachable {
  private Unreachable() {}

  /** One line, with its cause for who looks. */
  public static IOException of(String whom, IOException failure) {
    return new IOException(whom + " cannot be reached: " + reason(failure), failure);
  }

  private static String reason(IOException failure) {
    var rejection = ClientTls.rejection(failure);
    if (rejection.isPresent()) {
      return rejection.get();
    }
    // The JDK's client says ConnectException for all, and what it was in a cause of a cause.
    for (Throwable each = failure; each != null; each = each.getCause()) {
      switch (each) {
        case UnresolvedAddressException _, UnknownHostException _ -> {
          return "there is no host of this name, or no network to ask for it";
        }
        case NoRouteToHostException _, UnsupportedAddressTypeException _ -> {
          return "no network leads there";
        }
        case HttpTimeoutException _ -> {
          return "it gave no answer in time";
        }
        case SSLHandshakeException handshake -> {
          return withoutTls(handshake);
        }
        case IOException said when said.getMessage() != null -> {
          if (said instanceof ConnectException && said.getMessage().contains("refused")) {
            return "nobody listens there";
          }
          if (said.getMessage().contains("unreachable")) {
            return "no network leads there";
          }
          if (each.getCause() == null) {
            return said.getMessage();
          }
        }
        default -> {}
      }
    }
    return failure instanceof ConnectException || failure.getCause() instanceof ConnectException
        ? "nobody listens there"
        : "no answer";
  }

  /** What the JDK has against the host's certificate, or the host against ours. */
  private static String withoutTls(SSLHandshakeException failure) {
    Throwable first = failure;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      first = each;
    }
    return switch (first) {
      case CertPathBuilderException _ ->
          "its certificate is not trusted; --trust names an authority";
      case CertificateExpiredException _, CertificateNotYetValidException _ ->
          "its certificate is not valid now, by the clock of this machine";
      default -> "no TLS with it: " + Page.oneLine(String.valueOf(first.getMessage()));
    };
  }
}
