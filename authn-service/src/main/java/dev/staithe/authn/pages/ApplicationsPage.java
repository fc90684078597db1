package dev.staithe.authn.pages;

import dev.staithe.authn.grants.GrantedApplication;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.service.log.AuditLog;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The applications that act for a user: seen and stopped. */
@Controller
final class ApplicationsPage {
  private final Grants grants;
  private final AuditLog audit;

  ApplicationsPage(Grants grants, AuditLog audit) {
    this.grants = grants;
    this.audit = audit;
  }

  /** One application of the page. */
  record Line(
      String client, String name, List<String> may, String since, boolean offline, int times) {}

  @GetMapping("/applications")
  String show(SignedIn user, Model model) {
    Map<String, List<GrantedApplication>> byClient = new LinkedHashMap<>();
    for (GrantedApplication each : grants.of(user.getPrincipal())) {
      byClient.merge(each.client(), List.of(each), ApplicationsPage::both);
    }
    model.addAttribute("user", user.getPrincipal());
    model.addAttribute("lines", byClient.values().stream().map(ApplicationsPage::line).toList());
    return "pages/applications";
  }

  private static List<GrantedApplication> both(
      List<GrantedApplication> some, List<GrantedApplication> more) {
    return java.util.stream.Stream.concat(some.stream(), more.stream()).toList();
  }

  private static Line line(List<GrantedApplication> all) {
    GrantedApplication one = all.getFirst();
    return new Line(
        one.client(),
        one.name(),
        all.stream()
            .flatMap(each -> each.scopes().stream())
            .distinct()
            .sorted()
            .map(DisplayText::of)
            .toList(),
        DisplayText.of(
            all.stream()
                .map(GrantedApplication::since)
                .min(Comparator.naturalOrder())
                .orElse(Instant.EPOCH)),
        all.stream().anyMatch(GrantedApplication::offline),
        all.size());
  }

  @PostMapping("/applications/stop")
  String stop(@RequestParam(name = "client", defaultValue = "") String client, SignedIn user) {
    grants.endClient(user.getPrincipal(), client);
    audit
        .line("grant.end", "ok")
        .with("subject", user.getPrincipal())
        .with("client", client)
        .write();
    return "redirect:/applications";
  }
}
