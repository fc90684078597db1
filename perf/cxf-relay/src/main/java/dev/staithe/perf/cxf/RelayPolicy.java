package dev.staithe.perf.cxf;

import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.cxf.Bus;
import org.apache.cxf.ws.policy.PolicyBuilder;
import org.apache.neethi.Policy;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;

/**
 * A policy document.
 *
 * @param name its endpoint is {@code /echo/NAME}
 * @param document WS-Policy; null where nothing is demanded
 */
record RelayPolicy(String name, byte @Nullable [] document) {
  private static final List<String> BUILT_IN =
      List.of("transport", "x509", "conversation", "encrypted-key");

  /**
   * Those of the folder, or else the gateway's built-in ones, which are modern, and once more with
   * {@code -interop} behind their names; always one that demands nothing.
   */
  static List<RelayPolicy> all(Path folder) throws IOException {
    List<RelayPolicy> all = new ArrayList<>();
    all.add(new RelayPolicy("none", null));
    Path files = folder.resolve("policies");
    if (!Files.isDirectory(files)) {
      for (String name : BUILT_IN) {
        all.add(new RelayPolicy(name, BuiltInPolicies.document(name, AlgorithmList.MODERN)));
        all.add(
            new RelayPolicy(
                name + "-interop", BuiltInPolicies.document(name, AlgorithmList.INTEROP)));
      }
      return all;
    }
    try (Stream<Path> listed = Files.list(files)) {
      for (Path file : listed.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".xml") && !name.equals("none.xml")) {
          all.add(
              new RelayPolicy(
                  name.substring(0, name.length() - ".xml".length()), Files.readAllBytes(file)));
        }
      }
    }
    return all;
  }

  Policy read(Bus bus) throws IOException {
    byte[] bytes = document;
    if (bytes == null) {
      return new Policy();
    }
    try {
      return bus.getExtension(PolicyBuilder.class).getPolicy(new ByteArrayInputStream(bytes));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(name + ".xml is no policy: " + e.getMessage(), e);
    }
  }
}
