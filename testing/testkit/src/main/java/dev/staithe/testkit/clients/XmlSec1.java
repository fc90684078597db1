package dev.staithe.testkit.clients;

import dev.staithe.peers.process.Program;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Debian's {@code xmlsec1}, a judge of XML signatures and encryption that shares no code with us.
 */
public final class XmlSec1 {
  private final Path folder;

  /** One that writes its files to that folder. */
  public XmlSec1(Path folder) {
    this.folder = folder;
  }

  /**
   * Verifies the only signature of a document.
   *
   * @param key options that give the key: {@code --pubkey-cert-pem} or {@code --hmackey}, each
   *     followed by a file
   * @param identified elements whose attribute {@code Id} the signature refers to, as {@code
   *     namespace:name}
   * @return what the program said; it begins with {@code OK} where all is right
   */
  public String verdict(byte[] document, List<String> key, List<String> identified) {
    List<String> arguments = new ArrayList<>(List.of("--verify"));
    arguments.addAll(key);
    for (String each : identified) {
      arguments.addAll(List.of("--id-attr:Id", each));
    }
    arguments.add(file(document).toString());
    Program.Ran ran = Program.XMLSEC1.run(arguments, Map.of(), new byte[0], Eventually.LONGEST);
    return new String(ran.output(), StandardCharsets.UTF_8) + ran.errors();
  }

  /** A document with its encrypted data decrypted; empty where that fails. */
  public String decrypted(byte[] document, Path privateKey) {
    Program.Ran ran =
        Program.XMLSEC1.run(
            List.of("--decrypt", "--privkey-pem", privateKey.toString(), file(document).toString()),
            Map.of(),
            new byte[0],
            Eventually.LONGEST);
    return ran.exitCode() == 0 ? new String(ran.output(), StandardCharsets.UTF_8) : "";
  }

  private Path file(byte[] document) {
    try {
      return Files.write(Files.createTempFile(folder, "judged", ".xml"), document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
