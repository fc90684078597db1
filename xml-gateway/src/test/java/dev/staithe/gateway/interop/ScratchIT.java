package dev.staithe.gateway.interop;

import dev.staithe.testkit.HttpTap;
import dev.staithe.wss.policy.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.time.Instant;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.apache.cxf.ws.security.SecurityConstants;

final class ScratchIT {
  @TempDir static Path folder;
  @Test void look() throws Exception {
    int port = InteropSite.freePort();
    try (HttpTap tap = HttpTap.before(java.net.URI.create("http://127.0.0.1:" + port));
         InteropSite site = new InteropSite(folder, null, List.of("conversation", "username"), InteropSite.withoutTls(port, java.net.URI.create(tap.url("/").toString().replaceAll("/$", ""))))) {
      try (CxfClient client = site.client(tap.url("/conversation-modern"), "1.2", site.caller().credential()).with(SecurityConstants.STS_TOKEN_DO_CANCEL, "true").policy(BuiltInPolicies.document("conversation", AlgorithmList.MODERN))) {
        client.call("<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>a</e:say></e:echo>");
      }
      try (CxfClient client = site.client(tap.url("/conversation-modern"), "1.2", site.caller().credential()).policy(BuiltInPolicies.document("conversation", AlgorithmList.MODERN))) {
        client.call("<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>a</e:say></e:echo>");
        client.context().setExpires(Instant.now().minusSeconds(1));
        client.call("<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>a</e:say></e:echo>");
      } catch (Exception e) { System.out.println(e); }
      try (CxfClient client = site.client(tap.url("/username-modern"), "1.2", site.caller().credential()).user("ada", "tide and time").policy(BuiltInPolicies.document("username", AlgorithmList.MODERN))) {
        client.call("<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>a</e:say></e:echo>");
      } catch (Exception e) { System.out.println(e); }
      StringBuilder b = new StringBuilder();
      for (var p : tap.passed()) b.append("=====").append(p.path()).append(' ').append(p.contentType()).append(' ').append(p.status()).append('\n').append(new String(p.request(), StandardCharsets.UTF_8)).append("\n----\n").append(new String(p.response(), StandardCharsets.UTF_8)).append('\n');
      Files.writeString(Path.of("/tmp/interop-tap.txt"), b);
      Files.writeString(Path.of("/tmp/interop-audit.log"), site.gateway().audit());
    }
  }
}
