package dev.staithe.slcs.issue;

import org.springframework.context.annotation.Configuration;

/** The parts of this package. */
@Configuration(proxyBeanMethods = false)
public final class IssueConfiguration {}
