package dev.staithe.authn.pages;

import dev.staithe.authn.browser.CookieContexts;
import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.browser.Questions;
import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.keys.StoreSecrets;
import dev.staithe.authn.login.Logins;
import dev.staithe.authn.login.OneTimeCodes;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.service.log.AuditLog;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.savedrequest.NullRequestCache;

/**
 * The pages and their chain. Wants what {@link dev.staithe.authn.oauth.OauthConfiguration} makes,
 * and beans {@link Logins} and {@link Sessions}. Nothing of it is kept on a node.
 */
@Configuration(proxyBeanMethods = false)
public final class PagesConfiguration {
  private static final String[] PAGES = {
    "/",
    "/login",
    "/logout",
    "/signed-out",
    "/consent",
    "/sessions",
    "/sessions/**",
    "/account",
    "/account/**",
    "/applications",
    "/applications/**",
    "/device",
    "/device/**",
    "/pages/**",
    "/error"
  };
  private static final String[] OPEN = {"/login", "/logout", "/signed-out", "/pages/**", "/error"};

  @Bean
  LoginPage loginPage(Logins logins, SessionLink link, SessionCookie cookie, Questions questions) {
    return new LoginPage(logins, link, cookie, questions);
  }

  @Bean
  ConsentPage consentPage(Questions questions) {
    return new ConsentPage(questions);
  }

  @Bean
  SessionsPage sessionsPage(Sessions sessions, SessionLink link, SessionCookie cookie) {
    return new SessionsPage(sessions, link, cookie);
  }

  @Bean
  ApplicationsPage applicationsPage(Grants grants, AuditLog audit) {
    return new ApplicationsPage(grants, audit);
  }

  @Bean
  AccountPage accountPage(
      Logins logins,
      Sessions sessions,
      SessionLink link,
      SessionCookie cookie,
      JdbcUsers users,
      UserAdministration administration,
      OneTimeCodes codes,
      AuditLog audit) {
    return new AccountPage(
        new LoginAgain(logins), sessions, link, cookie, users, administration, codes, audit);
  }

  @Bean
  LogoutPage logoutPage(SessionLink link, SessionCookie cookie) {
    return new LogoutPage(link, cookie);
  }

  @Bean
  DevicePage devicePage() {
    return new DevicePage();
  }

  @Bean
  ErrorPage errorPage() {
    return new ErrorPage();
  }

  /** The chain of the pages. */
  @Bean
  @Order(2)
  SecurityFilterChain pagesChain(
      HttpSecurity http, CookieContexts contexts, SessionCookie cookie, StoreSecrets secrets)
      throws Exception {
    return http.securityMatcher(PAGES)
        .authorizeHttpRequests(
            all -> all.requestMatchers(OPEN).permitAll().anyRequest().authenticated())
        .securityContext(context -> context.securityContextRepository(contexts))
        .sessionManagement(all -> all.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .requestCache(all -> all.requestCache(new NullRequestCache()))
        .csrf(csrf -> csrf.csrfTokenRepository(new SignedCsrf(cookie, secrets.get("csrf"))))
        .logout(AbstractHttpConfigurer::disable)
        .exceptionHandling(all -> all.authenticationEntryPoint(new LoginRedirect()))
        .headers(
            headers ->
                headers
                    .contentSecurityPolicy(policy -> policy.policyDirectives(PagePolicy.plain()))
                    .referrerPolicy(
                        policy ->
                            policy.policy(
                                org.springframework.security.web.header.writers
                                    .ReferrerPolicyHeaderWriter.ReferrerPolicy.NO_REFERRER)))
        .build();
  }
}
