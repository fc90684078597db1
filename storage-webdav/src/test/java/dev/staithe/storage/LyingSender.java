package dev.staithe.storage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.log.LogKey;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.PartyKey;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A partner that has keys and a file, and answers a request under contract as it should not. */
final class LyingSender implements AutoCloseable {
  /** What it does wrong. */
  enum Lie {
    /** Binds its answer to another request. */
    OTHER_REQUEST,
    /** Answers in another contract. */
    OTHER_ID,
    /** States another digest than it signs. */
    OTHER_DIGEST,
    /** States another length than it signs. */
    OTHER_LENGTH,
    /** Signs by a key that it does not publish. */
    OTHER_KEY,
    /** Signs that there is a file, and not which. */
    LESS,
    /** Signed an hour ago. */
    OLD,
    /** Signs in an hour. */
    EARLY,
    /** Signs nothing. */
    UNSIGNED,
    /** Signs as it should, and sends other bytes. */
    OTHER_BYTES,
    /**
     * Does all as it should, and takes no receipt before the test lets it answer that it cannot.
     */
    HOLDS_RECEIPT,
    /** Knows nothing of contracts. */
    NONE
  }

  private static final byte[] BYTES = "bytes of great value".getBytes(StandardCharsets.UTF_8);

  private final ContractPair pair;
  private final ContractKey key;
  private final ContractKey unpublished;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  volatile Lie lie = Lie.NONE;

  /** Until then receipts are held. */
  final CountDownLatch release = new CountDownLatch(1);

  LyingSender(ContractPair pair) throws Exception {
    this.pair = pair;
    this.key = ContractKey.read(pair.key("s"));
    this.unpublished = ContractKey.read(pair.key("r"));
    String log =
        LogKey.readOrMake(pair.folder.resolve("lying.key"), "lying/.staithe/log")
            .verifier()
            .toString();
    server =
        HttpsServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), pair.portOfS), 50);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            pair.authority.serverContext(pair.authority.localhost().credential())));
    server.setExecutor(threads);
    text(
        "/.well-known/http-message-signatures-directory",
        PartyKey.writeSet(List.of(key.publicKey())));
    text("/.well-known/staithe-host", "{\"log\":\"" + log + "\"}");
    server.createContext("/data/", this::file);
    server.createContext("/.staithe/contracts/", this::receipt);
    server.start();
  }

  private void text(String path, String text) {
    server.createContext(path, exchange -> send(exchange, text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void send(HttpExchange exchange, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private void file(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (lie != Lie.NONE) {
        sign(exchange);
      }
      byte[] sent = BYTES.clone();
      sent[0] ^= (byte) (lie == Lie.OTHER_BYTES ? 1 : 0);
      send(exchange, sent);
    } catch (BadSignature e) {
      throw new IOException(e);
    }
  }

  private void receipt(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (lie == Lie.HOLDS_RECEIPT && release.await(60, TimeUnit.SECONDS)) {
        exchange.sendResponseHeaders(503, -1);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void sign(HttpExchange exchange) throws BadSignature {
    Map<String, List<String>> asked = new HashMap<>();
    exchange.getRequestHeaders().forEach(asked::put);
    String url = pair.atS(exchange.getRequestURI().getPath());
    String id = ContractField.parse(asked.get("Contract").getFirst()).id();
    if (lie == Lie.OTHER_REQUEST) {
      asked.put("Signature", List.of("contract=:AAAA:"));
    }
    Map<String, List<String>> own = new HashMap<>();
    own.put(
        "contract",
        List.of(
            new ContractField(lie == Lie.OTHER_ID ? UUID.randomUUID().toString() : id, "", "")
                .encode()));
    own.put(
        "content-length",
        List.of(String.valueOf(BYTES.length + (lie == Lie.OTHER_LENGTH ? 1 : 0))));
    own.put(
        "repr-digest",
        List.of(ContractAudit.digest(lie == Lie.OTHER_DIGEST ? Hash.of() : Hash.of(BYTES))));
    SignedMessage answer = SignedMessage.answer(200, own, SignedMessage.request("GET", url, asked));
    MessageSignature signature =
        MessageSignature.sign(
            answer,
            lie == Lie.OTHER_KEY ? unpublished : key,
            new MessageSignature.Wanted(
                "lie",
                SignatureProfile.ANSWER.covered().stream()
                    .filter(each -> lie != Lie.LESS || !each.name().equals("repr-digest"))
                    .toList(),
                Instant.now().plusSeconds(lie == Lie.OLD ? -3600 : lie == Lie.EARLY ? 3600 : 0),
                Duration.ofMinutes(5),
                UUID.randomUUID().toString(),
                SignatureProfile.ANSWER.tag()));
    exchange.getResponseHeaders().put("Contract", own.get("contract"));
    exchange.getResponseHeaders().set("Repr-Digest", ContractAudit.digest(Hash.of(BYTES)));
    if (lie != Lie.UNSIGNED) {
      exchange.getResponseHeaders().set("Signature-Input", signature.inputField());
      exchange.getResponseHeaders().set("Signature", signature.signatureField());
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
