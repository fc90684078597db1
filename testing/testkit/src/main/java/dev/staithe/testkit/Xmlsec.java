package dev.staithe.testkit;

import dev.staithe.peers.Folders;
import dev.staithe.peers.ManagedProcess;
import dev.staithe.peers.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code xmlsec1}, which shares no line with anything in Java, as a judge of XML signatures. */
public final class Xmlsec {

  private Xmlsec() {}

  /**
   * Verifies the only signature of a document.
   *
   * @param signer a PEM file with the signer's certificate
   * @param named elements whose {@code Id} attributes the signature refers to, each as {@code
   *     namespace:name}
   * @return what the program said; it begins with {@code OK} where all is right
   */
  public static String verify(byte[] document, Path signer, List<String> named) {
    try {
      Path folder = Files.createTempDirectory("xmlsec");
      Path file = Files.write(folder.resolve("document.xml"), document);
      List<String> command = new ArrayList<>();
      command.addAll(
          List.of(Program.XMLSEC1.path(), "--verify", "--pubkey-cert-pem", signer.toString()));
      for (String each : named) {
        command.addAll(List.of("--id-attr:Id", each));
      }
      command.add(file.toString());
      try (ManagedProcess process =
          ManagedProcess.start(command, Map.of(), folder.resolve("output"))) {
        process.awaitEnd(Eventually.LONGEST);
        return process.output();
      } finally {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
