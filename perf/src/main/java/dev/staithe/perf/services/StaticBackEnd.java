package dev.staithe.perf.services;

import dev.staithe.peers.process.Core;
import dev.staithe.peers.process.Program;
import dev.staithe.peers.process.Readiness;
import dev.staithe.perf.peers.Peer;
import dev.staithe.perf.peers.RunningPeer;
import dev.staithe.perf.peers.Site;
import java.io.IOException;
import java.nio.file.Path;

/** nginx with the same SOAP answer to every message: what stands behind the measured gateways. */
public final class StaticBackEnd implements Peer {
  /** Of requests and answers. */
  public static final String NAMESPACE = "urn:staithe:perf";

  /** A word of the answer that no fault has. */
  public static final String SAID = "orderTaken";

  private static final String LINE =
      "<o:line><o:item>rope, hemp, 24 mm</o:item><o:count>12</o:count><o:price>4.20</o:price></o:line>";

  /** About two kilobytes, as the requests are; the longest word of a configuration is 4096. */
  private static final String ANSWER =
      ("<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
              + "<o:%s xmlns:o=\"%s\">%s</o:%s></soap:Body></soap:Envelope>")
          .formatted(SAID, NAMESPACE, LINE.repeat(20), SAID);

  private static final String CONFIGURATION =
      """
      keepalive_requests 100000000;
      keepalive_timeout 600;
      client_max_body_size 0;
      server {
        access_log off;
        listen 127.0.0.1:%d;
        location / {
          default_type "text/xml; charset=utf-8";
          return 200 '%s';
        }
      }
      """;

  @Override
  public String name() {
    return "back-end";
  }

  @Override
  public Readiness readiness() {
    return Program.NGINX.readiness("-v");
  }

  @Override
  public RunningPeer start(Site site, Path folder, Core core) throws IOException {
    return NginxProxyPeer.start(
        name(),
        site,
        folder,
        core,
        port -> CONFIGURATION.formatted(port, ANSWER),
        "nginx -c nginx.conf (one worker, return 200 with %d bytes)".formatted(ANSWER.length()));
  }
}
