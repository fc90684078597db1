package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.dav.DavHandler;
import dev.staithe.storage.dav.ResumableUploads;
import dev.staithe.storage.dav.RootCollection;
import dev.staithe.storage.dav.SmallGet;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.Areas;
import dev.staithe.storage.locks.Locking;
import dev.staithe.testkit.clients.Curl;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes to a thread of its own is answered whatever becomes of that thread. */
class SmallFirstTests {
  private final Server server = new Server();

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private static DavHandler withoutAreas() {
    Areas areas = new Areas(List.of());
    Answers answers = new Answers();
    return new DavHandler(
        areas,
        (request, path) -> new Identification.Identified(new Caller.Anonymous()),
        Map.of(),
        answers,
        new RootCollection(answers),
        new ResumableUploads(Map.of(), new Locking(Map.of())),
        List.of(),
        new SmallGet(areas, area -> false, authorization -> null));
  }

  @Test
  void requestThatFindsNoMemoryIsAnswered() throws Exception {
    Handler without =
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            throw new OutOfMemoryError("Cannot reserve 1048576 bytes of direct buffer memory");
          }
        };
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new SmallFirst(withoutAreas(), without));
    server.start();

    Curl.Response answer =
        Curl.to("http://127.0.0.1:" + connector.getLocalPort() + "/data/file").run();

    assertThat(answer.status()).as(answer.toString()).isEqualTo(500);
  }
}
