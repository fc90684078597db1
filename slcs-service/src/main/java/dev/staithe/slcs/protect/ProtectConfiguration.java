package dev.staithe.slcs.protect;

import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class ProtectConfiguration {}
