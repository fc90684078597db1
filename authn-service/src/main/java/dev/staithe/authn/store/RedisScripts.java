package dev.staithe.authn.store;

/**
 * What Redis runs at once, so that nobody sees half of it. The names of all keys share a hash tag.
 *
 * <pre>
 * epoch           text
 * log             stream of the revocations: s session | u user, n not before; x expires
 * ended:ID        there until the session would have expired
 * session:ID      hash: subject, created, expires, last, assurance, address, client
 * user:SUBJECT    sorted set of ids by creation
 * created         sorted set of all ids by creation
 * expires         sorted set of all ids by expiry
 * </pre>
 */
final class RedisScripts {
  static final String PREFIX = "{staithe}:";

  /** Gives the epoch, or the offered one where there is none any more. KEYS: prefix; ARGV: it. */
  static final String EPOCH =
      """
      local key = KEYS[1] .. 'epoch'
      redis.call('SET', key, ARGV[1], 'NX')
      return redis.call('GET', key)
      """;

  private static final String FORGET =
      """
      local p = KEYS[1]
      local function forget(id)
        local key = p .. 'session:' .. id
        local subject = redis.call('HGET', key, 'subject')
        if subject then redis.call('ZREM', p .. 'user:' .. subject, id) end
        redis.call('UNLINK', key)
        redis.call('ZREM', p .. 'created', id)
        redis.call('ZREM', p .. 'expires', id)
      end
      """;

  /** Writes a batch. KEYS: prefix; ARGV: an epoch for where there is none, then the writes. */
  static final String WRITE =
      FORGET
          + """
          redis.call('SET', p .. 'epoch', ARGV[1], 'NX')
          local i = 2
          while i <= #ARGV do
            local kind, id = ARGV[i], ARGV[i + 1]
            if kind == 'open' then
              -- A login that is written behind its answer may come after the logout.
              if redis.call('EXISTS', p .. 'ended:' .. id) == 0 then
                local subject, created, expires = ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
                local key = p .. 'session:' .. id
                redis.call('HSET', key, 'subject', subject, 'created', created,
                           'expires', expires, 'last', ARGV[i + 5], 'assurance', ARGV[i + 6],
                           'address', ARGV[i + 7], 'client', ARGV[i + 8])
                redis.call('PEXPIREAT', key, ARGV[i + 9])
                redis.call('ZADD', p .. 'user:' .. subject, created, id)
                redis.call('ZADD', p .. 'created', created, id)
                redis.call('ZADD', p .. 'expires', expires, id)
              end
              i = i + 10
            elseif kind == 'session' then
              forget(id)
              redis.call('SET', p .. 'ended:' .. id, '', 'PXAT', ARGV[i + 2])
              redis.call('XADD', p .. 'log', '*', 's', id, 'x', ARGV[i + 2])
              i = i + 3
            elseif kind == 'user' then
              local user, before = p .. 'user:' .. id, ARGV[i + 2]
              for _, each in ipairs(redis.call('ZRANGEBYSCORE', user, '-inf', '(' .. before)) do
                forget(each)
              end
              redis.call('XADD', p .. 'log', '*', 'u', id, 'n', before, 'x', ARGV[i + 3])
              i = i + 4
            elseif kind == 'remove' then
              forget(id)
              i = i + 2
            elseif kind == 'begin' then
              for _, each in ipairs(redis.call('ZRANGE', p .. 'created', 0, -1)) do
                forget(each)
              end
              redis.call('DEL', p .. 'log', p .. 'created', p .. 'expires')
              redis.call('SET', p .. 'epoch', id)
              i = i + 2
            else
              return redis.error_reply('unknown write ' .. kind)
            end
          end
          return 'OK'
          """;

  /** Writes uses down. KEYS: prefix; ARGV: ids and times in turn. */
  static final String TOUCH =
      """
      for i = 1, #ARGV, 2 do
        local key = KEYS[1] .. 'session:' .. ARGV[i]
        local last = redis.call('HGET', key, 'last')
        if last and tonumber(last) < tonumber(ARGV[i + 1]) then
          redis.call('HSET', key, 'last', ARGV[i + 1])
        end
      end
      return 'OK'
      """;

  /**
   * Forgets up to a thousand of each that have expired. KEYS: prefix; ARGV: now in milliseconds.
   * Gives how many. The log is cut before its first entry that is still needed.
   */
  static final String DELETE_EXPIRED =
      FORGET
          + """
          local now = ARGV[1]
          local ids = redis.call('ZRANGEBYSCORE', p .. 'expires', '-inf', now, 'LIMIT', 0, 1000)
          for _, id in ipairs(ids) do forget(id) end
          local count = #ids
          local entries = redis.call('XRANGE', p .. 'log', '-', '+', 'COUNT', 1000)
          for _, entry in ipairs(entries) do
            local fields = entry[2]
            if tonumber(fields[#fields]) > tonumber(now) then
              redis.call('XTRIM', p .. 'log', 'MINID', entry[1])
              return count
            end
            count = count + 1
          end
          if #entries > 0 then
            redis.call('XTRIM', p .. 'log', 'MINID', entries[#entries][1])
            redis.call('XDEL', p .. 'log', entries[#entries][1])
          end
          return count
          """;

  private RedisScripts() {}
}
