package dev.staithe.cli.administration;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Unreachable;
import dev.staithe.contracts.PersonOffer;
import dev.staithe.contracts.host.PropertyRule;
import dev.staithe.contracts.signature.BadSignature;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One file that a person brings under contract: after the host has agreed and is what she wants,
 * and with the host's statement in the end, or the news that there is none. For one thread.
 */
final class ContractedUpload {
  private static final int BUFFER = 1 << 20;

  private final HttpClient http;
  private final ContractingHost receiver;
  private final URI url;
  private final PersonOffer offer;
  private final Terms terms;

  /**
   * What the person shows, and under what she gives the file.
   *
   * @param authorization the field's value; empty: none
   * @param issuerKeys of the issuer that vouches for the person; empty: none does
   * @param text as SHA-256 in hexadecimal; empty: none
   * @param rules what the host must say of itself
   * @param patience for the next byte of the file
   */
  record Terms(
      String authorization,
      String issuerKeys,
      String text,
      List<PropertyRule> rules,
      Duration patience) {}

  ContractedUpload(HttpClient http, URI url, PersonOffer offer, Terms terms) {
    this.http = http;
    this.receiver = new ContractingHost(http, url);
    this.url = url;
    this.offer = offer;
    this.terms = terms;
  }

  /**
   * Brings it.
   *
   * @param proof that is kept in the end
   * @return lines that say what was brought, and how it is proved
   * @throws IOException with one line; there is no proof then
   */
  List<String> of(Path file, Proof proof) throws IOException, BadSignature {
    ContractingHost.Published host = receiver.published();
    long size = Files.size(file);
    agree(host, size, sha256(file));
    bring(file, size);
    byte[] statement;
    try {
      statement =
          ContractingHost.statement(
              () ->
                  receiver.send(
                      with(HttpRequest.newBuilder(URI.create(offer.statementUrl())), offer.ask())
                          .POST(BodyPublishers.noBody())));
    } catch (IOException last) {
      throw new IOException(
          receiver.name()
              + " has the file, and gives no statement by contract "
              + offer.id()
              + ": "
              + ContractingHost.said(last),
          last);
    }
    offer.stated(statement, host.keys(), host.log());
    return List.of(
        url + ": " + size + " bytes, contract " + offer.id(),
        proof.keep(host, statement, terms.issuerKeys()));
  }

  private static byte[] sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static HttpRequest.Builder with(HttpRequest.Builder request, Map<String, String> fields) {
    fields.forEach(request::header);
    return request;
  }

  private HttpRequest.Builder authorized(Map<String, String> fields) {
    HttpRequest.Builder request = with(HttpRequest.newBuilder(url), fields);
    return terms.authorization().isEmpty()
        ? request
        : request.header("Authorization", terms.authorization());
  }

  /** Offers it, and compares; no byte of the file has moved before. */
  private void agree(ContractingHost.Published host, long size, byte[] sha256)
      throws IOException, BadSignature {
    HttpResponse<InputStream> answer =
        receiver.send(
            authorized(offer.offer(size, sha256, terms.text(), terms.authorization()))
                .POST(BodyPublishers.noBody()));
    if (answer.statusCode() != 200) {
      throw receiver.refused(answer, "");
    }
    answer.body().close();
    Map<String, Object> values = offer.agreed(answer.headers().map(), host.keys()).values();
    List<String> failed =
        terms.rules().stream()
            .filter(rule -> !rule.holds(values))
            .map(rule -> "wanted " + rule.text() + ", offered " + rule.offer(values))
            .toList();
    if (!failed.isEmpty()) {
      throw new IOException(
          receiver.name() + " gets nothing: " + Page.oneLine(String.join("; ", failed)));
    }
  }

  /** All bytes, where the host has said that it takes them. */
  private void bring(Path file, long size) throws IOException, BadSignature {
    AtomicLong moved = new AtomicLong();
    HttpRequest.Builder request = authorized(offer.deliver());
    if (size == 0) {
      request.PUT(BodyPublishers.noBody());
    } else {
      request
          .expectContinue(true)
          .PUT(
              BodyPublishers.fromPublisher(
                  BodyPublishers.ofInputStream(() -> counted(file, moved)), size));
    }
    CompletableFuture<HttpResponse<InputStream>> sent =
        http.sendAsync(request.build(), BodyHandlers.ofInputStream());
    try {
      HttpResponse<InputStream> answer = awaited(sent, moved);
      if (answer.statusCode() / 100 != 2) {
        throw receiver.refused(answer, "");
      }
      answer.body().close();
    } finally {
      sent.cancel(true);
    }
  }

  private HttpResponse<InputStream> awaited(
      CompletableFuture<HttpResponse<InputStream>> sent, AtomicLong moved) throws IOException {
    long before = -1;
    while (true) {
      try {
        return sent.get(terms.patience().toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (moved.get() == before) {
          throw new IOException(
              "the upload stands after "
                  + before
                  + " bytes: none was taken, nor answered, for "
                  + terms.patience().toSeconds()
                  + " s",
              e);
        }
        before = moved.get();
      } catch (ExecutionException e) {
        throw Unreachable.of(
            receiver.name(),
            e.getCause() instanceof IOException io ? io : new IOException(e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private static InputStream counted(Path file, AtomicLong moved) {
    try {
      return new FilterInputStream(Files.newInputStream(file)) {
        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
          int read = super.read(buffer, from, length);
          moved.addAndGet(Math.max(read, 0));
          return read;
        }
      };
    } catch (IOException e) {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          throw e;
        }
      };
    }
  }
}
