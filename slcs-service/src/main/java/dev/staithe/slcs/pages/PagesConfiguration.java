package dev.staithe.slcs.pages;

import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class PagesConfiguration {}
