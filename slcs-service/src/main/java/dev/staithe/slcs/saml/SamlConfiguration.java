package dev.staithe.slcs.saml;

import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class SamlConfiguration {}
