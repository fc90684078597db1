package dev.staithe.delegation.pages;

import dev.staithe.delegation.credential.AcquireRules;
import dev.staithe.delegation.credential.Caller;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.Delegation;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.DelegationId;
import dev.staithe.delegation.credential.Delegations;
import dev.staithe.delegation.credential.Outcome;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.delegation.door.FtsDescription;
import dev.staithe.pki.GridSubject;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Origins;
import dev.staithe.service.log.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Where somebody sees the own delegations, who may act with them, and takes them back. */
@Controller
final class HomePage {
  /** No script at all; styles, images and forms of our own. */
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
          + " frame-ancestors 'none'; form-action 'self'";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final Callers callers;
  private final Delegations delegations;
  private final Origins origins;
  private final AuditLog audit;

  HomePage(Callers callers, Delegations delegations, Origins origins, AuditLog audit) {
    this.callers = callers;
    this.delegations = delegations;
    this.origins = origins;
    this.audit = audit;
  }

  /**
   * One line of the page.
   *
   * @param machine the end as RFC 3339 writes it
   * @param uses what is left of them, in words
   */
  record Line(
      String id,
      List<String> attributes,
      String until,
      String machine,
      boolean limited,
      List<String> acquirers,
      String uses) {}

  @GetMapping("/")
  @Nullable String show(
      @RequestParam(name = "revoked", required = false) @Nullable String revoked,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws IOException {
    String accept = request.getHeader("Accept");
    if (accept == null || !accept.contains("text/html")) {
      Answers.json(response, 200, FtsDescription.json());
      return null;
    }
    return switch (caller(request)) {
      case Caller.Refused(String line) -> refused(response, model, line);
      case Caller.Known(Owner owner) -> {
        model.addAttribute(
            "state",
            revoked == null
                ? null
                : "It is revoked. Proxies that services have from it live until they expire.");
        yield page(owner, response, model);
      }
    };
  }

  @PostMapping("/revoke")
  @Nullable String revoke(
      @RequestParam(name = "id", defaultValue = "") String id,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws IOException {
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      audit
          .line("delegation.call", "cross-site")
          .with("path", "/revoke")
          .with("reason", foreign.get())
          .write();
      Answers.line(response, 403, foreign.get());
      return null;
    }
    return switch (caller(request)) {
      case Caller.Refused(String line) -> refused(response, model, line);
      case Caller.Known(Owner owner) ->
          switch (destroy(owner, id)) {
            case Outcome.Done<DelegationId> destroyed -> "redirect:/?revoked";
            case Outcome.Refused<DelegationId>(DelegationFault fault) -> {
              model.addAttribute("problem", fault.line());
              yield page(owner, response, model);
            }
          };
    };
  }

  private Outcome<DelegationId> destroy(Owner owner, String id) {
    return DelegationId.parse(id)
        .map(own -> delegations.destroy(owner, own))
        .orElseGet(
            () ->
                new Outcome.Refused<>(
                    new DelegationFault(Kind.UNKNOWN, DelegationFault.UNKNOWN_LINE)));
  }

  private Caller caller(HttpServletRequest request) {
    return callers.of(
        request.getAttribute(Callers.CERTIFICATES) instanceof X509Certificate[] shown
            ? shown
            : new X509Certificate[0]);
  }

  private static String refused(HttpServletResponse response, Model model, String line) {
    guard(response);
    response.setStatus(403);
    model.addAttribute("line", line);
    return "pages/unknown";
  }

  private String page(Owner owner, HttpServletResponse response, Model model) {
    guard(response);
    model.addAttribute("subject", owner.subject().slashed());
    model.addAttribute("lines", delegations.list(owner).stream().map(HomePage::line).toList());
    return "pages/home";
  }

  private static void guard(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
  }

  static Line line(Delegation delegation) {
    AcquireRules rules = delegation.rules();
    return new Line(
        delegation.id().text(),
        delegation.fqans(),
        TIME.format(delegation.notAfter()),
        delegation.notAfter().toString(),
        delegation.limited(),
        rules.acquirers().stream().map(GridSubject::slashed).toList(),
        uses(rules.uses(), delegation.used()));
  }

  private static String uses(@Nullable Integer most, int used) {
    return most == null
        ? "no limit (" + used + " so far)"
        : Math.max(0, most - used) + " of " + most;
  }
}
