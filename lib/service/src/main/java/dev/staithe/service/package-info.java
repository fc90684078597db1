/**
 * What every service does around its own work, for services only; see {@code docs/adr/0010}. Here
 * is what all packages below know: settings that are checked to the last key, and failures in one
 * line.
 *
 * <p>A service has
 *
 * <ul>
 *   <li>{@code META-INF/staithe-service.properties} with its {@code name}, its application class as
 *       {@code main}, and the record of its {@code staithe.*} properties as {@code settings}; the
 *       record implements {@link dev.staithe.service.properties.SharedProperties}, checks by {@link
 *       dev.staithe.service.Settings}, and is bound with {@code ignoreUnknownFields = false};
 *   <li>in that class a {@code main} that calls {@link dev.staithe.service.start.Launch};
 *   <li>in its {@code pom.xml} this module, the property {@code service.main}, which is {@link
 *       dev.staithe.service.Main}, and the shade plugin, whose configuration is the parent's.
 * </ul>
 */
@NullMarked
package dev.staithe.service;

import org.jspecify.annotations.NullMarked;
