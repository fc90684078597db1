package dev.staithe.cli.administration;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.PersonContract;
import dev.staithe.contracts.record.Received;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.Hash;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One file that a person gets under contract: whole, with the digest that was signed, and after the
 * sender has acknowledged that it came; else nothing of it is left. For one thread.
 */
final class ContractedDownload {
  private static final int BUFFER = 1 << 20;

  private final ContractingHost sender;
  private final URI url;
  private final PersonContract contract;
  private final Offer offer;
  private final Clock clock;

  /**
   * What the person shows and agrees to.
   *
   * @param authorization the field's value; empty: none
   * @param issuerKeys of the issuer that vouches for the person; empty: none does
   * @param terms that may be agreed to, as SHA-256 in hexadecimal
   * @param patience for the next byte of the file
   */
  record Offer(String authorization, String issuerKeys, List<String> terms, Duration patience) {}

  ContractedDownload(HttpClient http, URI url, PersonContract contract, Offer offer, Clock clock) {
    this.sender = new ContractingHost(http, url);
    this.url = url;
    this.contract = contract;
    this.offer = offer;
    this.clock = clock;
  }

  /**
   * Gets it.
   *
   * @param proof that is kept in the end
   * @return lines that say what came, and how it is proved
   * @throws IOException with one line; there is no file then, unless it was acknowledged before
   */
  List<String> to(Path target, Proof proof) throws IOException, BadSignature {
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException(target + " cannot be written: no such folder");
    }
    ContractingHost.Published host = sender.published();
    HttpResponse<InputStream> answer = granted();
    try (Unfinished part = Unfinished.in(folder)) {
      Received received = receive(answer, host, part.file());
      byte[] statement = acknowledged(received, host);
      String verify = part.finish(() -> named(part, target, host, statement, proof));
      return List.of(target + ": " + received.size() + " bytes, contract " + contract.id(), verify);
    }
  }

  /** The sender has been told that the file is kept, and so it is, with its proof. */
  private String named(
      Unfinished part, Path target, ContractingHost.Published host, byte[] statement, Proof proof)
      throws IOException {
    Path at = target;
    String unnamed = "";
    try {
      Files.move(part.file(), target);
    } catch (IOException e) {
      part.keep();
      at = part.file();
      unnamed =
          e instanceof FileAlreadyExistsException ? "is there by now" : ContractingHost.said(e);
    }
    String verify;
    try {
      verify = proof.keep(host, statement, offer.issuerKeys());
    } catch (IOException e) {
      throw new IOException(at + " is there, and its proof is not: " + ContractingHost.said(e), e);
    }
    if (!unnamed.isEmpty()) {
      throw new IOException("%s: %s; what came is in %s".formatted(target, unnamed, at));
    }
    return verify;
  }

  private HttpResponse<InputStream> ask(String terms) throws IOException, BadSignature {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).GET();
    contract.ask(terms, offer.authorization()).forEach(request::header);
    request.header("Accept-Encoding", "identity");
    if (!offer.authorization().isEmpty()) {
      request.header("Authorization", offer.authorization());
    }
    return sender.send(request);
  }

  /** The answer that sends the file; terms are agreed to where the person has said so. */
  private HttpResponse<InputStream> granted() throws IOException, BadSignature {
    HttpResponse<InputStream> answer = ask("");
    String wanted = wantedTerms(answer);
    if (answer.statusCode() == 403 && offer.terms().contains(wanted)) {
      answer.body().close();
      answer = ask(wanted);
      wanted = wantedTerms(answer);
    }
    if (answer.statusCode() != 200) {
      throw sender.refused(
          answer,
          wanted.isEmpty() || offer.terms().contains(wanted)
              ? ""
              : "; --accept-terms " + wanted + " once you have read them");
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

  /** All bytes, on the device, and those that were signed; else the sender is told. */
  private Received receive(
      HttpResponse<InputStream> answer, ContractingHost.Published host, Path part)
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
            case NONE -> ContractingHost.said(e);
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
      throw new IOException("what came is not what " + sender.name() + " signed");
    }
    return received;
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
    return sender.send(request, patience);
  }

  /** The sender's statement; the same receipt is told again where no answer came. */
  private byte[] acknowledged(Received received, ContractingHost.Published host)
      throws IOException, BadSignature {
    try {
      byte[] statement = ContractingHost.statement(() -> tell(received, ContractingHost.PATIENCE));
      contract.acknowledged(statement, received, host.keys(), host.log());
      return statement;
    } catch (IOException last) {
      throw new IOException(
          sender.name()
              + " does not take the receipt, and nothing is kept: "
              + ContractingHost.said(last),
          last);
    }
  }
}
