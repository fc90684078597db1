package dev.staithe.storage.contracts;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.storage.contracts.host.Party;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What partners and auditors ask this host for: its keys, properties and log. All of it may be seen
 * by anyone. Stateless.
 */
@RestController
public final class ContractController {
  static final String DIRECTORY = "/.well-known/http-message-signatures-directory";
  static final String HOST = "/.well-known/staithe-host";
  static final String CONTRACTS = "/.staithe/contracts/";
  private static final String LOG = "/.staithe/log/";

  private final Contracts contracts;

  /** Answers for these. */
  public ContractController(Contracts contracts) {
    this.contracts = contracts;
  }

  /** Whether this is asked for by strangers too: all but the list of contracts. */
  public static boolean isForEveryone(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.startsWith("/.well-known/") || path.startsWith(LOG);
  }

  /** The keys, as RFC 7517 and the drafts of web bot authentication have them. */
  @GetMapping({DIRECTORY, "/.well-known/jwks.json"})
  ResponseEntity<byte[]> keys() {
    return contracts
        .party()
        .map(party -> json(PartyKey.writeSet(party.published()), Duration.ofMinutes(5)))
        .orElseGet(ContractController::none);
  }

  /** What this host says of itself, and its log's key. */
  @GetMapping(HOST)
  ResponseEntity<byte[]> host() {
    return contracts
        .party()
        .map(
            party -> {
              Map<String, Object> host = new LinkedHashMap<>();
              host.put("origin", party.origin());
              host.put("host-properties", party.properties().text());
              host.put("log", party.log().verifier().toString());
              return json(JSONObjectUtils.toJSONString(host), Duration.ofMinutes(5));
            })
        .orElseGet(ContractController::none);
  }

  private static ResponseEntity<byte[]> json(String text, Duration fresh) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .cacheControl(CacheControl.maxAge(fresh))
        .body(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ResponseEntity<byte[]> none() {
    return ResponseEntity.notFound().build();
  }

  /** The log, as C2SP tlog-tiles has it. */
  @GetMapping(LOG + "**")
  ResponseEntity<byte[]> log(HttpServletRequest request) throws IOException {
    Optional<Party> party = contracts.party();
    if (party.isEmpty()) {
      return none();
    }
    String path = request.getRequestURI().substring(LOG.length());
    Optional<byte[]> file = party.get().log().served(path);
    boolean tile = path.startsWith("tile/");
    return file.map(
            bytes ->
                ResponseEntity.ok()
                    .contentType(tile ? MediaType.APPLICATION_OCTET_STREAM : MediaType.TEXT_PLAIN)
                    .cacheControl(
                        tile
                            ? CacheControl.maxAge(Duration.ofDays(365)).immutable()
                            : CacheControl.noCache())
                    .body(bytes))
        .orElseGet(ContractController::none);
  }
}
