package dev.staithe.cli.administration;

import dev.staithe.cli.program.Page;
import dev.staithe.cli.program.Unreachable;
import dev.staithe.contracts.BadSignature;
import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.Hash;
import dev.staithe.contracts.LogVerifier;
import dev.staithe.contracts.PartyKey;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.Received;
import dev.staithe.contracts.StatementFolder;
import dev.staithe.pki.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One file that a person gets under contract: whole, with the digest that was signed, and after the
 * sender has acknowledged that it came; else nothing of it is left. For one thread.
 */
final class ContractedDownload {
  /** For an answer, before which the sender may have to read the file. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int BUFFER = 1 << 20;
  private static final int MOST_ANSWER = 128 * 1024;
  private static final int TRIES = 3;

  private final HttpClient http;
  private final URI url;
  private final PersonContract contract;
  private final Offer offer;
  private final Clock clock;

  /**
   * What the person shows and agrees to.
   *
   * @param authorization the field's value; empty: none
   * @param terms that may be agreed to, as SHA-256 in hexadecimal
   * @param patience for the next byte of the file
   */
  record Offer(String authorization, List<String> terms, Duration patience) {}

  /** What the host publishes. */
  private record Published(
      String keySet, Map<String, PartyKey> keys, String logKey, LogVerifier log) {}

  ContractedDownload(HttpClient http, URI url, PersonContract contract, Offer offer, Clock clock) {
    this.http = http;
    this.url = url;
    this.contract = contract;
    this.offer = offer;
    this.clock = clock;
  }

  /**
   * Gets it.
   *
   * @return lines that say what came, and how it is proved
   * @throws IOException with one line; the file has no name then
   */
  List<String> to(Path target) throws IOException, BadSignature {
    Published host = published();
    HttpResponse<InputStream> answer = granted();
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException(target + " cannot be written: no such folder");
    }
    Path part = Files.createTempFile(folder, "." + target.getFileName() + ".", ".part");
    try {
      Received received = receive(answer, host, part);
      byte[] statement = acknowledged(received, host);
      Path stated = beside(target, StatementFolder.OWN);
      Path keys = beside(target, ".jwks.json");
      Path log = beside(target, ".log-key");
      AtomicFile.write(stated, statement, "rw-r--r--");
      AtomicFile.write(keys, host.keySet().getBytes(StandardCharsets.UTF_8), "rw-r--r--");
      AtomicFile.write(log, (host.logKey() + "\n").getBytes(StandardCharsets.UTF_8), "rw-r--r--");
      Files.move(part, target);
      return List.of(
          target + ": " + received.size() + " bytes, contract " + contract.id(),
          "staithe contract verify " + stated + " --keys " + keys + " --log-key " + log);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Path beside(Path target, String end) {
    return target.resolveSibling(target.getFileName() + end);
  }

  private Published published() throws IOException {
    String keySet = text("/.well-known/http-message-signatures-directory");
    String described = text("/.well-known/staithe-host");
    try {
      String logKey = JsonMapper.shared().readTree(described).path("log").asString("");
      return new Published(keySet, PartyKey.readSet(keySet), logKey, LogVerifier.parse(logKey));
    } catch (ParseException | IllegalArgumentException | JacksonException e) {
      throw new IOException(url.getAuthority() + " publishes keys that cannot be read", e);
    }
  }

  private String text(String path) throws IOException {
    HttpResponse<InputStream> answer = send(HttpRequest.newBuilder(url.resolve(path)).GET());
    try (InputStream body = answer.body()) {
      if (answer.statusCode() == 404) {
        throw new IOException(url.getAuthority() + " has no contracts: others get files of it");
      }
      if (answer.statusCode() != 200) {
        throw new IOException(url.resolve(path) + " answered " + answer.statusCode());
      }
      return new String(body.readNBytes(MOST_ANSWER), StandardCharsets.UTF_8);
    }
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
    return send(request, PATIENCE);
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request, Duration patience)
      throws IOException {
    try {
      return http.send(request.timeout(patience).build(), BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      throw Unreachable.of(String.valueOf(url.getAuthority()), e);
    }
  }

  private HttpResponse<InputStream> ask(String terms) throws IOException, BadSignature {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).GET();
    contract.ask(terms, offer.authorization()).forEach(request::header);
    request.header("Accept-Encoding", "identity");
    if (!offer.authorization().isEmpty()) {
      request.header("Authorization", offer.authorization());
    }
    return send(request);
  }

  /** The answer that sends the file; terms are agreed to where the person has said so. */
  private HttpResponse<InputStream> granted() throws IOException, BadSignature {
    HttpResponse<InputStream> answer = ask("");
    String wanted = wantedTerms(answer);
    if (answer.statusCode() == 403 && offer.terms().contains(wanted)) {
      answer.body().close();
      answer = ask(wanted);
    }
    if (answer.statusCode() != 200) {
      throw refused(answer);
    }
    if (answer.headers().firstValue("Contract").isEmpty()) {
      answer.body().close();
      throw new IOException("this file needs no contract, and gets none: curl gets it");
    }
    return answer;
  }

  private static String wantedTerms(HttpResponse<?> answer) {
    try {
      return HexFormat.of()
          .formatHex(
              ContractAudit.sha256(
                  "sha-256=" + answer.headers().firstValue("Want-Contract-Terms").orElse("")));
    } catch (BadSignature none) {
      return "";
    }
  }

  private IOException refused(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream body = answer.body()) {
      String text = new String(body.readNBytes(MOST_ANSWER), StandardCharsets.UTF_8);
      String line = text.lines().findFirst().orElse("");
      try {
        JsonNode problem = JsonMapper.shared().readTree(text);
        line = problem.path("detail").asString(line);
      } catch (JacksonException plain) {
        // Shown as it is.
      }
      String wanted = wantedTerms(answer);
      return new IOException(
          url.getAuthority()
              + " answers "
              + answer.statusCode()
              + ": "
              + Page.oneLine(line)
              + (wanted.isEmpty() || offer.terms().contains(wanted)
                  ? ""
                  : "; --accept-terms " + wanted + " once you have read them"));
    }
  }

  /** All bytes, on the device, and those that were signed; else the sender is told. */
  private Received receive(HttpResponse<InputStream> answer, Published host, Path part)
      throws IOException, BadSignature {
    PersonContract.Agreed agreed = contract.answered(answer.headers().map(), host.keys());
    long size = 0;
    MessageDigest digest = sha256();
    boolean whole = false;
    InputStream body = answer.body();
    StallWatch watch = new StallWatch(body, offer.patience());
    try (body;
        watch;
        FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[BUFFER];
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        watch.came();
        digest.update(buffer, 0, read);
        for (ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read); bytes.hasRemaining(); ) {
          file.write(bytes);
        }
        watch.kept();
        size += read;
      }
      watch.close(); // All came: what the device says from now on is no stall of anybody.
      file.force(true);
      whole = true;
    } catch (IOException e) {
      String why =
          switch (watch.stall()) {
            case NONE -> said(e);
            case SENDER -> "none came for " + offer.patience().toSeconds() + " s";
            case HERE -> "none could be written here for " + offer.patience().toSeconds() + " s";
          };
      throw new IOException("the download broke off after " + size + " bytes: " + why, e);
    } finally {
      if (!whole) {
        tellRefused(new Received(false, 0, Hash.of(), clock.instant()));
      }
    }
    byte[] sha256 = digest.digest();
    boolean same = size == agreed.size() && Arrays.equals(sha256, agreed.sha256());
    Received received = new Received(same, size, sha256, clock.instant());
    if (!same) {
      tellRefused(received);
      throw new IOException("what came is not what " + url.getAuthority() + " signed");
    }
    return received;
  }

  private static String said(IOException e) {
    return Page.oneLine(String.valueOf(e.getMessage()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Nothing is kept; who does not listen learns it from nobody. */
  private void tellRefused(Received nothing) {
    try {
      tell(nothing, offer.patience()).body().close();
    } catch (IOException | BadSignature untold) {
      // What the person is told is why the download failed.
    }
  }

  private HttpResponse<InputStream> tell(Received received, Duration patience)
      throws IOException, BadSignature {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(contract.receiptUrl()))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(received.encode()));
    contract.receipt(received).forEach(request::header);
    return send(request, patience);
  }

  /** The sender's statement; the same receipt is told again where no answer came. */
  private byte[] acknowledged(Received received, Published host) throws IOException, BadSignature {
    IOException last = new IOException("not asked");
    for (int i = 0; i < TRIES; i++) {
      try {
        HttpResponse<InputStream> answer = tell(received, PATIENCE);
        try (InputStream body = answer.body()) {
          byte[] statement = body.readNBytes(MOST_ANSWER);
          if (answer.statusCode() == 201) {
            contract.acknowledged(statement, received, host.keys(), host.log());
            return statement;
          }
          last = new IOException("it answers " + answer.statusCode());
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new IOException(
        url.getAuthority() + " does not take the receipt, and nothing is kept: " + said(last),
        last);
  }
}
