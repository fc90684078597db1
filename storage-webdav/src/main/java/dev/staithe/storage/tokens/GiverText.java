package dev.staithe.storage.tokens;

import dev.staithe.pki.GridSubject;
import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.CertificateCaller;
import dev.staithe.storage.authz.GrantedCaller;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TicketCaller;
import dev.staithe.storage.authz.TokenCaller;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Who was given a token, written into it so that what they may is judged by the rules of the day on
 * which it is used: fields separated by blanks, members of lists by commas, each escaped as in a
 * form of the web. What it says is signed by the token.
 */
final class GiverText {
  private static final String TOKEN = "token";
  private static final String CERTIFICATE = "certificate";

  private GiverText() {}

  /** The text; empty for callers to whom no token is given. */
  static Optional<String> of(Caller caller) {
    return switch (caller) {
      case TokenCaller token -> {
        Scopes scopes = token.scopes();
        yield Optional.of(
            String.join(
                " ",
                TOKEN,
                escaped(token.issuer()),
                escaped(token.subject()),
                list(scopes.storage().stream().map(Object::toString).toList()),
                Boolean.toString(scopes.anyCapability()),
                Boolean.toString(scopes.hostAuth()),
                list(token.groups())));
      }
      case CertificateCaller certificate ->
          Optional.of(
              String.join(
                  " ",
                  CERTIFICATE,
                  escaped(certificate.subject().name()),
                  Boolean.toString(certificate.limited()),
                  list(certificate.fqans()),
                  list(certificate.groups())));
      case Caller.Anonymous anonymous -> Optional.empty();
      case TicketCaller ticket -> Optional.empty();
      case GrantedCaller granted -> Optional.empty();
    };
  }

  /**
   * Reads a text that was made here.
   *
   * @param expiresAt of the token that it stands in
   */
  static Optional<Caller> read(String text, Instant expiresAt) {
    String[] fields = text.split(" ", -1);
    try {
      return switch (fields[0]) {
        case TOKEN -> {
          List<String> scopes = list(fields[3]);
          yield Optional.of(
              new TokenCaller(
                  plain(fields[1]),
                  plain(fields[2]),
                  new Scopes(
                      scopes.isEmpty() ? List.of() : Scopes.of(String.join(" ", scopes)).storage(),
                      Boolean.parseBoolean(fields[4]),
                      Boolean.parseBoolean(fields[5])),
                  list(fields[6]),
                  List.of(),
                  null,
                  expiresAt));
        }
        case CERTIFICATE ->
            Optional.of(
                new CertificateCaller(
                    GridSubject.parse(plain(fields[1])),
                    Boolean.parseBoolean(fields[2]),
                    list(fields[3]),
                    list(fields[4])));
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException | IndexOutOfBoundsException ofAnotherVersion) {
      return Optional.empty();
    }
  }

  private static String list(List<String> members) {
    // Each begins with a dot, so that none looks like the dash of a list without members.
    return members.isEmpty()
        ? "-"
        : members.stream().map(each -> "." + escaped(each)).collect(Collectors.joining(","));
  }

  private static List<String> list(String written) {
    return written.equals("-")
        ? List.of()
        : Arrays.stream(written.split(",", -1)).map(each -> plain(each.substring(1))).toList();
  }

  static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static String plain(String escaped) {
    return URLDecoder.decode(escaped, StandardCharsets.UTF_8);
  }
}
