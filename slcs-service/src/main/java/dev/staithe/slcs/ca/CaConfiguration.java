package dev.staithe.slcs.ca;

import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class CaConfiguration {}
