package dev.staithe.storage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.contracts.host.HostProperties;
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
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A partner that has keys, takes files, and does not do as it should. */
final class LyingReceiver implements AutoCloseable {
  /** What it does wrong. */
  enum Lie {
    /** Takes the file, and never acknowledges it. */
    NO_RECEIPT,
    /** Takes the file, and breaks the connection. */
    BREAKS_OFF,
    /** Has the file come, and says that it has no name now. */
    NO_NAME,
    /** Agrees to another contract. */
    OTHER_ID,
    /** Agrees to a file of another size. */
    OTHER_SIZE,
    /** Agrees to terms that were not named. */
    OTHER_TERMS,
    /** Says what another host says of itself. */
    OTHER_HOST,
    /** Agrees to another offer than that one. */
    OTHER_OFFER,
    /** Agrees an hour ago. */
    OLD,
    /** Agrees without a signature. */
    UNSIGNED,
    /** Sends the offer on to a host that nobody knows. */
    OFFER_SENT_ON,
    /** Sends the offer on to itself by another name, and agrees there in the name of before. */
    SIGNED_ACROSS,
    /** Sends the offer on for ever. */
    SENT_IN_CIRCLES,
    /** Agrees, and sends the file on. */
    FILE_SENT_ON,
    /** Agrees, takes the file, and says so when the test lets it; there is no receipt then. */
    HOLDS_ANSWER,
    /** Knows nothing of contracts. */
    NONE
  }

  private final ContractPair pair;
  private final ContractKey key;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Bytes of files that came and were kept. */
  final AtomicLong came = new AtomicLong();

  /** Requests to remove what came. */
  final AtomicLong removals = new AtomicLong();

  volatile Lie lie = Lie.NONE;

  /** Until then the answer to a file is held. */
  final CountDownLatch release = new CountDownLatch(1);

  LyingReceiver(ContractPair pair) throws Exception {
    this.pair = pair;
    this.key = ContractKey.read(pair.key("r"));
    String log =
        LogKey.readOrMake(pair.folder.resolve("lying.key"), "lying/.staithe/log")
            .verifier()
            .toString();
    server =
        HttpsServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), pair.portOfR), 50);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            pair.authority.serverContext(pair.authority.localhost().credential())));
    server.setExecutor(threads);
    text(
        "/.well-known/http-message-signatures-directory",
        PartyKey.writeSet(List.of(key.publicKey())));
    text("/.well-known/staithe-host", "{\"log\":\"" + log + "\"}");
    server.createContext("/data/", this::file);
    server.start();
  }

  private void text(String path, String text) {
    server.createContext(
        path,
        exchange -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
          }
        });
  }

  private void file(HttpExchange exchange) throws IOException {
    try (exchange) {
      switch (exchange.getRequestMethod()) {
        case "POST" -> offered(exchange);
        case "PUT" -> {
          byte[] bytes = exchange.getRequestBody().readAllBytes();
          if (lie == Lie.FILE_SENT_ON) {
            sendOn(exchange, pair.atR("/data/elsewhere"));
          } else {
            came.addAndGet(bytes.length);
            if (lie == Lie.HOLDS_ANSWER) {
              release.await(60, TimeUnit.SECONDS);
            }
            if (lie == Lie.NO_NAME) {
              byte[] why =
                  "the sender does not take the receipt now\n".getBytes(StandardCharsets.UTF_8);
              exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=utf-8");
              exchange.sendResponseHeaders(503, why.length);
              exchange.getResponseBody().write(why);
            } else if (lie != Lie.BREAKS_OFF) {
              exchange
                  .getResponseHeaders()
                  .set("Digest", "sha-256=" + Base64.getEncoder().encodeToString(Hash.of(bytes)));
              exchange.sendResponseHeaders(201, -1);
            }
          }
        }
        case "HEAD" -> {
          exchange.getResponseHeaders().set("Content-Length", String.valueOf(ContractPair.SIZE));
          exchange.sendResponseHeaders(200, -1);
        }
        default -> {
          removals.incrementAndGet();
          exchange.sendResponseHeaders(204, -1);
        }
      }
    } catch (BadSignature e) {
      throw new IOException(e);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Its other name. */
  String otherName() {
    return "127.0.0.1:" + pair.portOfR;
  }

  private static void sendOn(HttpExchange exchange, String to) throws IOException {
    exchange.getResponseHeaders().set("Location", to);
    exchange.sendResponseHeaders(307, -1);
  }

  private void offered(HttpExchange exchange) throws IOException, BadSignature {
    if (lie == Lie.NONE) {
      exchange.sendResponseHeaders(405, -1);
      return;
    }
    boolean sentOn = exchange.getRequestHeaders().getFirst("Host").equals(otherName());
    switch (lie) {
      case OFFER_SENT_ON -> {
        sendOn(exchange, "https://localhost:1/data/elsewhere");
        return;
      }
      case SENT_IN_CIRCLES -> {
        sendOn(exchange, pair.atR("/data/elsewhere"));
        return;
      }
      case SIGNED_ACROSS -> {
        if (!sentOn) {
          sendOn(exchange, "https://" + otherName() + "/data/elsewhere");
          return;
        }
      }
      default -> {}
    }
    Map<String, List<String>> fields = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> fields.put(name, values));
    String path = exchange.getRequestURI().getPath();
    String url = sentOn ? "https://" + otherName() + path : pair.atR(path);
    SignedMessage offer = SignedMessage.request("POST", url, fields);
    ContractField field = ContractField.parse(offer.field("contract"));
    if (lie == Lie.OTHER_OFFER) {
      fields.put("Signature", List.of("contract=:AAAA:"));
      offer = SignedMessage.request("POST", url, fields);
    }
    Map<String, List<String>> own = new HashMap<>();
    own.put(
        "contract",
        List.of(
            new ContractField(
                    lie == Lie.OTHER_ID ? UUID.randomUUID().toString() : field.id(),
                    lie == Lie.OTHER_TERMS ? "ef".repeat(32) : field.terms(),
                    "",
                    lie == Lie.OTHER_SIZE ? 1 : field.size(),
                    "")
                .encode()));
    own.put(
        "host-properties",
        List.of(
            HostProperties.sign(
                    "https://localhost:" + (lie == Lie.OTHER_HOST ? pair.portOfS : pair.portOfR),
                    Map.of("jurisdiction", "DE"),
                    key,
                    Instant.now())
                .text()));
    MessageSignature signature =
        MessageSignature.sign(
            SignedMessage.answer(200, own, offer),
            key,
            new MessageSignature.Wanted(
                "lie",
                SignatureProfile.AGREEMENT.covered(),
                lie == Lie.OLD ? Instant.now().minusSeconds(3600) : Instant.now(),
                Duration.ofMinutes(5),
                UUID.randomUUID().toString(),
                SignatureProfile.AGREEMENT.tag()));
    own.forEach((name, values) -> exchange.getResponseHeaders().put(name, values));
    if (lie != Lie.UNSIGNED) {
      exchange.getResponseHeaders().set("Signature-Input", signature.inputField());
      exchange.getResponseHeaders().set("Signature", signature.signatureField());
    }
    exchange.sendResponseHeaders(200, -1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
