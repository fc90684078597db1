package dev.staithe.perf.lean;

/** A task whose beginning and end the lean client tells, so that only what lies between counts. */
public sealed interface WatchedTask permits UserTask, CampusTask, DelegationTask, GatewayTask {}
