package dev.staithe.storage;

import static dev.staithe.storage.ContractPair.host;

import dev.staithe.contracts.ContractAudit;
import dev.staithe.contracts.host.HostProperties;
import dev.staithe.contracts.record.ContractField;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.ContractKey;
import dev.staithe.contracts.signature.Hash;
import dev.staithe.contracts.signature.MessageSignature;
import dev.staithe.contracts.signature.SignatureProfile;
import dev.staithe.contracts.signature.SignedMessage;
import dev.staithe.testkit.clients.Curl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One push by hand in the name of {@code s}, of which each part may be changed before it is sent.
 */
final class PushByHand {
  static final byte[] CONTENT = "bytes of great value".getBytes(StandardCharsets.UTF_8);

  private final ContractPair pair;
  private final RunningStorage to;

  /** Where requests go, and what they are signed for. */
  String path;

  String url;
  ContractKey key;

  /** None where it is empty. */
  String token;

  String id = UUID.randomUUID().toString();
  Instant created = Instant.now();
  String properties;
  byte[] body = CONTENT;
  byte[] digest = Hash.of(CONTENT);
  long size = CONTENT.length;
  String hashOfToken;
  String agreed = "";

  PushByHand(ContractPair pair, RunningStorage to, int port, String path, String token)
      throws Exception {
    this.pair = pair;
    this.to = to;
    this.path = path;
    this.url = "https://" + host(port) + path;
    this.key = ContractKey.read(pair.key("s"));
    this.token = token;
    this.hashOfToken = token.isEmpty() ? "" : hash("Bearer " + token);
    this.properties = properties(key);
  }

  static String hash(String text) {
    return HexFormat.of().formatHex(Hash.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  String properties(ContractKey by) {
    return properties(by, pair.portOfS);
  }

  static String properties(ContractKey by, int port) {
    return HostProperties.sign(
            "https://" + host(port), Map.of("jurisdiction", "DE"), by, Instant.now())
        .text();
  }

  private MessageSignature sign(SignedMessage message, SignatureProfile profile) throws Exception {
    return MessageSignature.sign(
        message,
        key,
        new MessageSignature.Wanted(
            "hand",
            profile.covered(),
            created,
            Duration.ofMinutes(5),
            UUID.randomUUID().toString(),
            profile.tag()));
  }

  Map<String, List<String>> offered() {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    fields.put("contract", List.of(new ContractField(id, "", hashOfToken, size, "").encode()));
    fields.put("host-properties", List.of(properties));
    fields.put("repr-digest", List.of(ContractAudit.digest(digest)));
    return fields;
  }

  private Curl.Response send(
      Curl curl, Map<String, List<String>> fields, MessageSignature signature) {
    fields.forEach((name, values) -> curl.header(name, values.getFirst()));
    return (token.isEmpty() ? curl : curl.token(token))
        .header("Signature-Input", signature.inputField())
        .header("Signature", signature.signatureField())
        .run();
  }

  /** Sends other fields than were signed. */
  Curl.Response offer(Map<String, List<String>> signed, Map<String, List<String>> sent)
      throws Exception {
    MessageSignature signature =
        sign(SignedMessage.request("POST", url, signed), SignatureProfile.OFFER);
    Curl.Response answer =
        send(to.curl(path).method("POST").header("Content-Length", "0"), sent, signature);
    if (answer.status() == 200) {
      Map<String, List<String>> all = new LinkedHashMap<>(signed);
      all.put("signature", List.of(signature.signatureField()));
      Map<String, List<String>> back = new LinkedHashMap<>();
      for (String name : List.of("contract", "host-properties", "signature-input", "signature")) {
        back.put(name, List.of(answer.header(name).orElseThrow()));
      }
      agreed =
          ContractRecord.Part.of(
                  SignatureProfile.AGREEMENT.find(
                      SignedMessage.answer(200, back, SignedMessage.request("POST", url, all))))
              .hash();
    }
    return answer;
  }

  Curl.Response offer() throws Exception {
    return offer(offered(), offered());
  }

  Curl.Response deliver() throws Exception {
    return deliver(id);
  }

  Curl.Response deliver(String forId) throws Exception {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    fields.put("contract", List.of(new ContractField(forId, "", hashOfToken, -1, agreed).encode()));
    fields.put("repr-digest", List.of(ContractAudit.digest(digest)));
    Map<String, List<String>> covered = new LinkedHashMap<>(fields);
    covered.put("content-length", List.of(String.valueOf(body.length)));
    MessageSignature signature =
        sign(SignedMessage.request("PUT", url, covered), SignatureProfile.DELIVERY);
    Path file = pair.folder.resolve("body");
    Files.write(file, body);
    return send(to.curl(path).upload(file), fields, signature);
  }
}
