package dev.staithe.storage.contracts;

import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.ContractField;
import dev.staithe.contracts.ContractRecord;
import dev.staithe.contracts.Hash;
import dev.staithe.contracts.MessageSignature;
import dev.staithe.contracts.Received;
import dev.staithe.contracts.SignedMessage;
import dev.staithe.contracts.SignedMessage.Component;
import dev.staithe.contracts.Statement;
import dev.staithe.contracts.StatementFolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acknowledges what came to those who sent it: at once, or again and again for a day, also of
 * before a restart. It is the same receipt by its id however often it is told. Thread-safe.
 */
final class Acknowledging implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Acknowledging.class);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final int AT_ONCE = 100;

  /** What a receipt's signature covers. */
  static final List<Component> RECEIPT =
      Stream.of("@method", "@target-uri", "contract", "content-digest").map(Component::of).toList();

  private final Contracts contracts;
  private final Party party;
  private final Semaphore wanted = new Semaphore(1);
  private final Thread thread;
  private volatile boolean closed;

  Acknowledging(Contracts contracts, Party party) {
    this.contracts = contracts;
    this.party = party;
    this.thread = Thread.ofVirtual().name("acknowledging").unstarted(this::run);
  }

  /** Begins with what is left from before. */
  void start() {
    thread.start();
  }

  /** Looks soon for what is to be told. */
  void wake() {
    wanted.release();
  }

  /** Keeps that all bytes came, as our statement, with its hash in our log. */
  void verified(ContractRow row, Received received) throws IOException {
    String body = received.encode();
    contracts
        .store()
        .conclude(
            row.side(),
            row.id(),
            List.of(ContractRow.State.AGREED),
            ContractRow.State.VERIFIED,
            body,
            new byte[0],
            party.now());
    logged(row, body);
  }

  private void logged(ContractRow row, String body) throws IOException {
    try {
      MessageSignature receipt = party.sign(message(row, body), RECEIPT, Party.RECEIPT_TAG);
      byte[] statement = party.state(row.id(), record(row, receipt, body).encode()).encode();
      party.keep(row, StatementFolder.OWN, statement);
      contracts
          .store()
          .conclude(
              row.side(),
              row.id(),
              List.of(ContractRow.State.VERIFIED),
              ContractRow.State.LOGGED,
              body,
              statement,
              party.now());
    } catch (BadSignature bad) {
      throw new IOException(bad.line(), bad);
    }
  }

  private ContractRecord record(ContractRow row, MessageSignature receipt, String body) {
    return new ContractRecord(
        row.id(),
        "https://" + row.peer(),
        party.origin(),
        row.request(),
        row.answer(),
        ContractRecord.Part.of(receipt),
        body);
  }

  private static String url(ContractRow row) {
    return "https://" + row.peer() + ContractController.CONTRACTS + row.id();
  }

  private static SignedMessage message(ContractRow row, String body) {
    return SignedMessage.request(
        "POST",
        url(row),
        Map.of(
            "contract",
            List.of(new ContractField(row.id(), "", "").encode()),
            "content-digest",
            List.of(ContractAudit.digest(Hash.of(body.getBytes(StandardCharsets.UTF_8))))));
  }

  /**
   * Tells the sender, and keeps its statement.
   *
   * @throws IOException with one line, where it does not take the receipt
   */
  void acknowledge(String id) throws IOException {
    ContractRow row =
        contracts
            .store()
            .find(ContractRow.Side.RECEIVER, id)
            .orElseThrow(() -> new IOException("there is no such contract"));
    if (row.state() == ContractRow.State.ACKNOWLEDGED) {
      return;
    }
    try {
      HttpResponse<byte[]> answer = tell(row, row.received());
      if (answer.statusCode() != 201) {
        throw new IOException(
            row.peer() + " does not take the receipt: it answers " + answer.statusCode());
      }
      judge(row, answer.body());
      party.keep(row, StatementFolder.PARTNER, answer.body());
      contracts.store().acknowledged(id, answer.body(), party.now());
      log.info("contract {}: acknowledged by {}", id, row.peer());
    } catch (BadSignature bad) {
      throw new IOException(row.peer() + " answers the receipt wrongly: " + bad.line(), bad);
    }
  }

  private HttpResponse<byte[]> tell(ContractRow row, String body) throws IOException, BadSignature {
    SignedMessage message = message(row, body);
    MessageSignature signature = party.sign(message, RECEIPT, Party.RECEIPT_TAG);
    return contracts
        .partners()
        .send(
            row.peer(),
            HttpRequest.newBuilder(URI.create(url(row)))
                .header("Content-Type", "application/json")
                .header(Party.CONTRACT, String.valueOf(message.field("contract")))
                .header("Content-Digest", String.valueOf(message.field("content-digest")))
                .header("Signature-Input", signature.inputField())
                .header("Signature", signature.signatureField())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
  }

  /** Whether the sender's statement is of this very contract, and in its log. */
  private void judge(ContractRow row, byte[] bytes) throws BadSignature, IOException {
    Statement statement = Statement.parse(bytes);
    Partners.Known known = contracts.partners().of(row.peer(), "");
    Statement.Content content = statement.verify(known.keys());
    statement.verifyReceipt(known.log());
    ContractRecord record = ContractRecord.parse(content.content());
    if (!content.issuer().equals("https://" + row.peer())
        || !record.id().equals(row.id())
        || !record.request().equals(row.request())
        || !record.answer().equals(row.answer())
        || !record.received().equals(row.received())) {
      throw new BadSignature("its statement is of something else");
    }
  }

  /** Tells the sender that the bytes were thrown away; once, as nothing depends on it. */
  void refused(ContractRow row, Received received) {
    contracts
        .store()
        .move(
            row.side(),
            row.id(),
            List.of(ContractRow.State.AGREED),
            ContractRow.State.REFUSED,
            party.now());
    try {
      tell(row, received.encode());
    } catch (IOException | BadSignature e) {
      log.warn(
          "contract {}: {} was not told that it is refused: {}",
          row.id(),
          row.peer(),
          e.getMessage());
    }
  }

  private void run() {
    while (!closed) {
      try {
        pending();
        wanted.tryAcquire(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        wanted.drainPermits();
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException e) {
        log.error("receipts cannot be told now: {}", e.getMessage());
        if (!pause()) {
          return;
        }
      }
    }
  }

  private boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException end) {
      return false;
    }
  }

  private void pending() {
    for (ContractRow row :
        contracts
            .store()
            .in(
                ContractRow.Side.RECEIVER,
                ContractRow.State.VERIFIED,
                party.now().minus(LONGEST),
                AT_ONCE)) {
      attempt(row, () -> logged(row, row.received()));
    }
    for (ContractRow row :
        contracts
            .store()
            .in(
                ContractRow.Side.RECEIVER,
                ContractRow.State.LOGGED,
                party.now().minus(LONGEST),
                AT_ONCE)) {
      attempt(row, () -> acknowledge(row.id()));
    }
  }

  /** A step that may fail. */
  private interface Step {
    void run() throws IOException;
  }

  private void attempt(ContractRow row, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      if (!closed) {
        log.warn("contract {} is still to be acknowledged: {}", row.id(), e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
