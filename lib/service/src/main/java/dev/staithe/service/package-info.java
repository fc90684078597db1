/**
 * What every service does around its own work: settings that are checked to the last key, failures
 * of a start in one line, an embedded Jetty with our TLS, trusted proxies, slow clients, access log
 * and metrics. For services only; see {@code docs/adr/0010}.
 *
 * <p>A service has
 *
 * <ul>
 *   <li>{@code META-INF/staithe-service.properties} with its {@code name}, its application class as
 *       {@code main}, and the record of its {@code staithe.*} properties as {@code settings}; the
 *       record has {@link dev.staithe.service.TlsProperties} as {@code tls} and whatever else of
 *       the {@code …Properties} here it needs, checks by {@link dev.staithe.service.Settings}, and
 *       is bound with {@code ignoreUnknownFields = false};
 *   <li>in that class a {@code main} that calls {@link dev.staithe.service.Launch};
 *   <li>beans for {@link dev.staithe.service.TlsEnd}, {@link dev.staithe.service.AccessLog}, {@link
 *       dev.staithe.service.HttpServer}, {@link dev.staithe.service.MetricsGate} and {@link
 *       dev.staithe.service.CertificateHealth}, made in its own configuration;
 *   <li>in its {@code pom.xml} this module, the property {@code service.main}, which is {@link
 *       dev.staithe.service.Main}, and the shade plugin, whose configuration is the parent's.
 * </ul>
 */
@NullMarked
package dev.staithe.service;

import org.jspecify.annotations.NullMarked;
