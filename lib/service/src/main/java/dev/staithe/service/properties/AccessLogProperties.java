package dev.staithe.service.properties;

import dev.staithe.service.log.AccessLog;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The access log: one line, a JSON object, for each request.
 *
 * @param enabled whether there is one
 * @param file where it goes; absent: standard output together with the log
 */
@ConfigurationPropertiesSource
public record AccessLogProperties(@DefaultValue("true") boolean enabled, @Nullable Path file)
    implements AccessLog.Settings {}
