package dev.staithe.gateway.interop;

import dev.staithe.peers.NginxServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** nginx that answers every message of one version of SOAP with the same one. */
final class StaticService implements AutoCloseable {
  private final NginxServer nginx;

  StaticService(Path folder, String soap, String payload) throws IOException {
    boolean old = soap.equals("1.1");
    String namespace =
        old
            ? "http://schemas.xmlsoap.org/soap/envelope/"
            : "http://www.w3.org/2003/05/soap-envelope";
    Files.writeString(
        folder.resolve("answer.xml"),
        "<s:Envelope xmlns:s=\"%s\"><s:Body>%s</s:Body></s:Envelope>"
            .formatted(namespace, payload));
    nginx =
        NginxServer.start(
            port ->
                """
                server {
                  listen 127.0.0.1:%d;
                  root %s;
                  types { }
                  default_type "%s";
                  charset utf-8;
                  charset_types *;
                  # A file is for GET; for POST it is the answer all the same.
                  error_page 405 =200 $uri;
                }
                """
                    .formatted(port, folder, old ? "text/xml" : "application/soap+xml"));
  }

  URI address() {
    return URI.create("http://127.0.0.1:%d/answer.xml".formatted(nginx.port()));
  }

  @Override
  public void close() {
    nginx.close();
  }
}
