package dev.staithe.perf.lean;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What the lean client is told to do, one line of JSON with the name of its type. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
@JsonSubTypes({
  @JsonSubTypes.Type(Task.class),
  @JsonSubTypes.Type(UserTask.class),
  @JsonSubTypes.Type(CampusTask.class),
  @JsonSubTypes.Type(DelegationTask.class),
  @JsonSubTypes.Type(GatewayTask.class),
  @JsonSubTypes.Type(LogTask.class),
  @JsonSubTypes.Type(FloorTask.class)
})
public sealed interface Assignment
    permits Task, UserTask, CampusTask, DelegationTask, GatewayTask, LogTask, FloorTask {}
