package dev.staithe.storage.dav;

import dev.staithe.storage.authz.Admission;
import dev.staithe.storage.authz.Right;
import dev.staithe.storage.exchange.DavMethod;
import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.exchange.PropertyName;
import dev.staithe.storage.exchange.XmlOut;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.SharedStateException;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.Locking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PROPFIND (RFC 4918 section 9.1): one response element at a time, as the folder is read. */
public final class PropfindMethod implements DavMethod {
  static final int LONGEST_BODY = 64 * 1024;

  private static final Logger log = LoggerFactory.getLogger(PropfindMethod.class);

  /** Anybody may set it (RFC 4918 section 15.2); the name where nobody has. */
  private static final PropertyName DISPLAY_NAME = PropertyName.dav("displayname");

  private final Locking locking;

  /** Shows these locks. */
  public PropfindMethod(Locking locking) {
    this.locking = locking;
  }

  /** Which properties are asked for. */
  sealed interface Query {
    /** All that {@code allprop} gives, and these besides. */
    record All(List<PropertyName> include) implements Query {}

    /** The names only. */
    record Names() implements Query {}

    /** These. */
    record Some(List<PropertyName> names) implements Query {}
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    String depth =
        Optional.ofNullable(exchange.header("Depth"))
            .orElse("infinity")
            .trim()
            .toLowerCase(Locale.ROOT);
    if (!depth.equals("0") && !depth.equals("1") && !depth.equals("infinity")) {
      exchange.refuse(400, "Depth is 0, 1 or infinity");
      return;
    }
    StoragePath path = exchange.path();
    if (!exchange.admitted(path, depth.equals("0") ? Right.STAT : Right.LIST)) {
      return;
    }
    byte[] body = exchange.readAll(LONGEST_BODY);
    if (body == null) {
      exchange.refuse(413, "the request body is longer than " + LONGEST_BODY + " bytes");
      return;
    }
    Query query;
    switch (RequestXml.propfind(body)) {
      case RequestXml.Read.Malformed<Query> malformed -> {
        exchange.refuse(400, malformed.reason());
        return;
      }
      case RequestXml.Read.Good<Query> good -> query = good.value();
    }
    Optional<FileEntry> found = exchange.area().store().find(path);
    if (found.isEmpty() || path.collectionForm() && !found.get().collection()) {
      exchange.refuse(404, "there is no such file or collection");
      return;
    }
    if (depth.equals("infinity")
        && found.get().collection()
        && !exchange.options().infiniteDepth()) {
      refuseInfinity(exchange.response(), new XmlOut(exchange));
      return;
    }
    try {
      locking.table(exchange).look();
    } catch (SharedStateException away) {
      log.warn("locks are shown as they were known: {}", away.getMessage());
    }
    Listing first = null;
    if (found.get().collection() && !depth.equals("0")) {
      // Before the status is sent, so that who may not list it is told so.
      switch (exchange.area().store().list(found.get().path(), needsDead(query))) {
        case Outcome.Refused<Listing> refused -> {
          exchange.refuse(refused);
          return;
        }
        case Outcome.Done<Listing>(Listing members) -> first = members;
      }
    }
    List<FileEntry> below = List.of();
    XmlOut out = new XmlOut(exchange);
    try (Listing members = first) {
      exchange.response().setStatus(207);
      exchange
          .response()
          .getHeaders()
          .put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
      out.markup("<D:multistatus xmlns:D=\"DAV:\">");
      write(out, exchange, found.get(), query);
      if (members != null) {
        below = members(out, exchange, members, query, depth.equals("infinity"));
      }
    }
    below(out, exchange, below, query);
    out.markup("</D:multistatus>\n").end();
  }

  static void refuseInfinity(Response response, XmlOut out) throws IOException {
    response.setStatus(403);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml;charset=utf-8");
    out.markup("<D:error xmlns:D=\"DAV:\"><D:propfind-finite-depth/></D:error>\n").end();
  }

  /** Writes the members; where all below is asked for, gives the collections in their place. */
  private List<FileEntry> members(
      XmlOut out, Exchange exchange, Listing listing, Query query, boolean deep)
      throws IOException {
    List<FileEntry> below = new ArrayList<>();
    FileEntry member;
    while ((member = listing.next()) != null) {
      // What a link leads to is listed under its own name; links may go in circles.
      if (deep && member.collection() && !member.isLink()) {
        below.add(member);
      } else {
        member(out, exchange, member, query);
      }
    }
    return below;
  }

  /** Its name is told to whoever may list the folder, and no more than by a request for itself. */
  private void member(XmlOut out, Exchange exchange, FileEntry member, Query query)
      throws IOException {
    if (exchange.admission(member.path(), Right.STAT) instanceof Admission.Allowed) {
      write(out, exchange, member, query);
    } else {
      nameOnly(out, exchange, member.path(), 403);
    }
  }

  private static void nameOnly(XmlOut out, Exchange exchange, StoragePath path, int status)
      throws IOException {
    out.markup("<D:response><D:href>")
        .text(exchange.href(path))
        .markup("</D:href><D:status>")
        .markup(ProppatchMethod.statusLine(status))
        .markup("</D:status></D:response>");
  }

  /**
   * Writes collections, each with all below it. One whose members are not told has that status and
   * no properties: who mirrors a tree removes elsewhere what its listing leaves out.
   */
  private void below(XmlOut out, Exchange exchange, List<FileEntry> collections, Query query)
      throws IOException {
    FileStore store = exchange.area().store();
    for (FileEntry each : collections) {
      if (!(exchange.admission(each.path(), Right.LIST) instanceof Admission.Allowed)) {
        nameOnly(out, exchange, each.path(), 403);
        continue;
      }
      switch (store.list(each.path(), needsDead(query))) {
        case Outcome.Refused<Listing> gone when gone.why() == Refusal.NOT_FOUND -> {}
        case Outcome.Refused<Listing> refused ->
            nameOnly(out, exchange, each.path(), Exchange.statusOf(refused.why()));
        case Outcome.Done<Listing>(Listing listing) -> {
          List<FileEntry> next;
          try (listing) {
            member(out, exchange, each, query);
            next = members(out, exchange, listing, query, true);
          }
          below(out, exchange, next, query);
        }
      }
    }
  }

  /** Whether what was set by clients must be looked up. */
  private static boolean needsDead(Query query) {
    return !(query instanceof Query.Some some)
        || some.names().stream().anyMatch(name -> LiveProperty.of(name) == null);
  }

  private void write(XmlOut out, Exchange exchange, FileEntry file, Query query)
      throws IOException {
    out.markup("<D:response><D:href>").text(exchange.href(file.path())).markup("</D:href>");
    switch (query) {
      case Query.Names names -> names(out, exchange, file);
      case Query.All all -> {
        out.markup("<D:propstat><D:prop>");
        for (LiveProperty property : LiveProperty.values()) {
          if (property.inAllProp() || all.include().contains(property.property())) {
            property.write(out, exchange, file, locking);
          }
        }
        boolean named = false;
        DeadProperties dead = dead(exchange, file);
        for (PropertyName name : dead.names()) {
          String element = dead.element(name);
          if (element != null) {
            out.stored(element);
            named |= name.equals(DISPLAY_NAME);
          }
        }
        if (!named) {
          displayName(out, exchange, file);
        }
        out.markup("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>");
      }
      case Query.Some some -> some(out, exchange, file, some.names());
    }
    out.markup("</D:response>");
  }

  private void some(XmlOut out, Exchange exchange, FileEntry file, List<PropertyName> names)
      throws IOException {
    List<PropertyName> missing = new ArrayList<>();
    DeadProperties dead = null;
    boolean open = false;
    for (PropertyName name : names) {
      LiveProperty live = LiveProperty.of(name);
      if (!open) {
        out.markup("<D:propstat><D:prop>");
        open = true;
      }
      if (live != null) {
        if (!live.write(out, exchange, file, locking)) {
          missing.add(name);
        }
        continue;
      }
      if (dead == null) {
        dead = dead(exchange, file);
      }
      String element = dead.element(name);
      if (element != null) {
        out.stored(element);
      } else if (name.equals(DISPLAY_NAME)) {
        displayName(out, exchange, file);
      } else {
        missing.add(name);
      }
    }
    if (open) {
      out.markup("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>");
    }
    missing(out, missing);
  }

  /** The properties that there are not, if any. */
  static void missing(XmlOut out, List<PropertyName> names) throws IOException {
    if (!names.isEmpty()) {
      out.markup("<D:propstat><D:prop>");
      for (PropertyName name : names) {
        emptyElement(out, name);
      }
      out.markup("</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>");
    }
  }

  private static void names(XmlOut out, Exchange exchange, FileEntry file) throws IOException {
    out.markup("<D:propstat><D:prop>");
    for (LiveProperty property : LiveProperty.values()) {
      if (property.appliesTo(file)) {
        emptyElement(out, property.property());
      }
    }
    emptyElement(out, DISPLAY_NAME);
    DeadProperties dead = dead(exchange, file);
    for (PropertyName name : dead.names()) {
      if (!name.equals(DISPLAY_NAME) && dead.element(name) != null) {
        emptyElement(out, name);
      }
    }
    out.markup("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>");
  }

  private static void displayName(XmlOut out, Exchange exchange, FileEntry file)
      throws IOException {
    String name = file.path().isRoot() ? exchange.area().name() : file.path().name();
    out.markup("<D:displayname>").text(name).markup("</D:displayname>");
  }

  static void emptyElement(XmlOut out, PropertyName name) throws IOException {
    if (name.namespace().equals(PropertyName.DAV)) {
      out.markup("<D:").text(name.local()).markup("/>");
    } else if (name.namespace().isEmpty()) {
      out.markup("<").text(name.local()).markup(" xmlns=\"\"/>");
    } else {
      out.markup("<X:")
          .text(name.local())
          .markup(" xmlns:X=\"")
          .text(name.namespace())
          .markup("\"/>");
    }
  }

  /** Those that can be read: a file beside which nothing can be ends no listing. */
  private static DeadProperties dead(Exchange exchange, FileEntry file) {
    Optional<String> kept;
    try {
      kept = exchange.area().store().properties(file);
    } catch (IOException e) {
      log.debug("properties are not shown: {}", e.toString());
      kept = Optional.empty();
    }
    return DeadProperties.read(kept);
  }
}
