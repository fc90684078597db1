package dev.staithe.storage.operation;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.service.Networks;
import dev.staithe.storage.exchange.Answers;
import dev.staithe.storage.exchange.ServedArea;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.pages.SpacePage;
import dev.staithe.storage.settings.AccountingProperties;
import dev.staithe.storage.settings.QuotaProperties;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage resource report of WLCG (SRR, version 4): a JSON document with what each area has and
 * what its files take, which accounting fetches, and a page of the same for people. Of an area that
 * cannot tell it the report has what it told last. Safe for use by many threads.
 */
public final class SpaceReport {
  private static final Logger log = LoggerFactory.getLogger(SpaceReport.class);
  private static final String PATH = "/.staithe/srr";

  private static final String QUALITY = "production";

  private final List<ServedArea> areas;
  private final List<QuotaProperties> quotas;
  private final AccountingProperties settings;
  private final Networks readers;
  private final Answers answers;
  private final Clock clock;

  /** What areas had when they last told it, by their names. */
  private final Map<String, Known> last = new ConcurrentHashMap<>();

  private record Known(FileStore.Room room, Instant when) {}

  /**
   * @param quotas of each area, in the same order
   */
  public SpaceReport(
      List<ServedArea> areas,
      List<QuotaProperties> quotas,
      AccountingProperties settings,
      Answers answers,
      Clock clock) {
    this.areas = List.copyOf(areas);
    this.quotas = List.copyOf(quotas);
    this.settings = settings;
    this.readers = Networks.parse(settings.allowFrom());
    this.answers = answers;
    this.clock = clock;
  }

  /** Puts it before the storage namespace. */
  public Handler before(Handler storage) {
    return new Handler.Wrapper(storage) {
      @Override
      public InvocationType getInvocationType() {
        return InvocationType.BLOCKING;
      }

      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
          return super.handle(request, response, callback);
        }
        answer(request, response);
        callback.succeeded();
        return true;
      }
    };
  }

  private void answer(Request request, Response response) throws IOException {
    if (!(request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress from
        && readers.contains(from.getAddress()))) {
      answers.refuse(
          request,
          response,
          403,
          "this report is for the networks of staithe.accounting.allow-from");
      return;
    }
    String method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      answers.refuse(request, response, 405, "the method " + method + " is not supported here");
      return;
    }
    if (Answers.wantsPage(request)) {
      answers.page(response, SpacePage.html(rows()));
      return;
    }
    String self =
        (request.isSecure() ? "https://" : "http://")
            + Request.getServerName(request)
            + ":"
            + Request.getServerPort(request);
    byte[] content = json(self).getBytes(StandardCharsets.UTF_8);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    Content.Sink.write(
        response, true, method.equals("HEAD") ? ByteBuffer.allocate(0) : ByteBuffer.wrap(content));
  }

  /** What an area has now or, where that cannot be told, had last; null where it never was. */
  private @Nullable Known known(ServedArea served) {
    String name = served.area().name();
    try {
      Known now = new Known(served.area().store().room(), clock.instant());
      last.put(name, now);
      return now;
    } catch (IOException e) {
      log.warn("area {}: what room it has cannot be told: {}", name, e.toString());
      return last.get(name);
    }
  }

  private List<SpacePage.Row> rows() {
    List<SpacePage.Row> rows = new ArrayList<>();
    for (int i = 0; i < areas.size(); i++) {
      Known known = known(areas.get(i));
      if (known == null) {
        continue;
      }
      FileStore.Room room = known.room();
      rows.add(
          new SpacePage.Row(
              areas.get(i).area().name(),
              room.used(),
              room.total(),
              room.files(),
              quotas.get(i).softBytes()));
    }
    return rows;
  }

  private String json(String self) {
    long now = clock.instant().getEpochSecond();
    List<String> names = new ArrayList<>();
    List<Map<String, Object>> shares = new ArrayList<>();
    long total = 0;
    long used = 0;
    for (ServedArea served : areas) {
      Known known = known(served);
      if (known == null) {
        continue;
      }
      FileStore.Room room = known.room();
      names.add(served.area().name());
      Map<String, Object> share = new LinkedHashMap<>();
      share.put("name", served.area().name());
      share.put("timestamp", known.when().getEpochSecond());
      share.put("totalsize", room.total());
      share.put("usedsize", room.used());
      share.put("numberoffiles", room.files());
      share.put("assignedendpoints", List.of("webdav"));
      share.put("servingstate", "open");
      share.put("vos", List.of());
      share.put("path", served.area().accessPoints().stream().map(point -> point.href()).toList());
      shares.add(share);
      total += room.total();
      used += room.used();
    }
    Map<String, Object> endpoint = new LinkedHashMap<>();
    endpoint.put("name", "webdav");
    endpoint.put("endpointurl", self + "/");
    endpoint.put("interfacetype", "https");
    endpoint.put("capabilities", List.of("data.management.transfer", "data.access.random"));
    endpoint.put("qualitylevel", QUALITY);
    endpoint.put("assignedshares", names);
    Map<String, Object> service = new LinkedHashMap<>();
    service.put("name", settings.name());
    service.put("id", settings.name());
    service.put("servicetype", "storage-webdav");
    service.put("implementation", "staithe");
    service.put("implementationversion", version());
    service.put("qualitylevel", QUALITY);
    service.put("latestupdate", now);
    service.put("storagecapacity", Map.of("online", Map.of("totalsize", total, "usedsize", used)));
    service.put("storageendpoints", List.of(endpoint));
    service.put("storageshares", shares);
    return JSONObjectUtils.toJSONString(Map.of("storageservice", service)) + "\n";
  }

  private static String version() {
    String version = SpaceReport.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }
}
