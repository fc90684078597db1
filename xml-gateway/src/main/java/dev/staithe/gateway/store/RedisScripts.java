package dev.staithe.gateway.store;

import dev.staithe.gateway.trust.EndedContexts;

/**
 * What Redis runs at once, so that nobody sees half of it. The names of all keys share a hash tag.
 * Lengths of time come from the gateways, whose clocks judge; Redis forgets a little later.
 *
 * <pre>
 * context:ID     hash: current, before (sealed), owner
 * rest:ID        what is left of it when it has ended (sealed), until nobody may renew it any more
 * rests:HASH     sorted set of the identifiers of an owner that have a rest, by expiry
 * rests          sorted set of all identifiers that have a rest, by expiry
 * owner:HASH     sorted set of the identifiers of an owner, by expiry
 * all            sorted set of all identifiers, by expiry
 * mark:DIGEST    there until a message would be stale; its value names the question that set it
 * since          when the first of these was written, in milliseconds: gone with Redis's memory
 * ended          channel: identifiers of contexts that were cancelled
 * </pre>
 */
final class RedisScripts {
  static final String PREFIX = "{staithe-gateway}:";
  static final String CONTEXT = PREFIX + "context:";
  static final String REST = PREFIX + "rest:";
  static final String ALL = PREFIX + "all";
  static final String MARK = PREFIX + "mark:";
  static final String SINCE = PREFIX + "since";
  static final String ENDED = PREFIX + "ended";

  /** Rests are kept as {@link EndedContexts} has them: the latest of each owner, and of all. */
  private static final String KEEP_FOR =
      """
      local p = KEYS[1]
      local function keepfor(key, left)
        if redis.call('PTTL', key) < left then redis.call('PEXPIRE', key, left) end
      end
      local function trim(key, now, most)
        local over = redis.call('ZCOUNT', key, '-inf', now) - most
        if over <= 0 then return end
        over = math.min(over, 64)
        for _, id in ipairs(redis.call('ZRANGE', key, 0, over - 1)) do
          redis.call('DEL', p .. 'rest:' .. id)
        end
        redis.call('ZREMRANGEBYRANK', key, 0, over - 1)
      end
      local function keeprest(id, owner, rest, expiry, left, now)
        if left <= 0 then return end
        redis.call('SET', p .. 'rest:' .. id, rest, 'PX', left)
        for key, most in pairs({[p .. 'rests:' .. owner] = %d, [p .. 'rests'] = %d}) do
          redis.call('ZADD', key, expiry, id)
          keepfor(key, left)
          trim(key, now, most)
        end
      end
      """
          .formatted(EndedContexts.MOST_OF_ONE, EndedContexts.MOST);

  /**
   * Keeps a new context. KEYS: prefix; ARGV: identifier, sealed, owner's hash, expiry, now, left,
   * of owner at most, in all at most, rest, left of the rest. Gives kept, owner or all.
   */
  static final String KEEP =
      KEEP_FOR
          + """
          local key, own, all = p .. 'context:' .. ARGV[1], p .. 'owner:' .. ARGV[3], p .. 'all'
          if redis.call('HGET', key, 'current') == ARGV[2] then return 'kept' end
          redis.call('ZREMRANGEBYSCORE', own, '-inf', ARGV[5])
          redis.call('ZREMRANGEBYSCORE', all, '-inf', ARGV[5])
          if redis.call('ZCARD', own) >= tonumber(ARGV[7]) then return 'owner' end
          if redis.call('ZCARD', all) >= tonumber(ARGV[8]) then return 'all' end
          redis.call('HSET', key, 'current', ARGV[2], 'owner', ARGV[3])
          redis.call('PEXPIRE', key, ARGV[6])
          redis.call('ZADD', own, ARGV[4], ARGV[1])
          redis.call('ZADD', all, ARGV[4], ARGV[1])
          keepfor(own, tonumber(ARGV[6]))
          keepfor(all, tonumber(ARGV[6]))
          keeprest(ARGV[1], ARGV[3], ARGV[9], ARGV[4], tonumber(ARGV[10]), ARGV[5])
          return 'kept'
          """;

  /**
   * Keeps a renewed context. KEYS: prefix; ARGV: identifier, sealed, owner's hash, expiry, left, 1
   * where its key is new, now, of owner at most, in all at most, rest, left of the rest. One that
   * has ended counts as new. Gives kept, owner, all or gone.
   */
  static final String RENEW =
      KEEP_FOR
          + """
          local key, own, all = p .. 'context:' .. ARGV[1], p .. 'owner:' .. ARGV[3], p .. 'all'
          local current = redis.call('HGET', key, 'current')
          if not current and redis.call('EXISTS', p .. 'rest:' .. ARGV[1]) == 0 then
            return 'gone'
          end
          if current == ARGV[2] then return 'kept' end
          local ends = redis.call('ZSCORE', own, ARGV[1])
          if not ends or tonumber(ends) <= tonumber(ARGV[7]) then
            redis.call('ZREMRANGEBYSCORE', own, '-inf', ARGV[7])
            redis.call('ZREMRANGEBYSCORE', all, '-inf', ARGV[7])
            if redis.call('ZCARD', own) >= tonumber(ARGV[8]) then return 'owner' end
            if redis.call('ZCARD', all) >= tonumber(ARGV[9]) then return 'all' end
          end
          if ARGV[6] == '1' and current then redis.call('HSET', key, 'before', current) end
          redis.call('HSET', key, 'current', ARGV[2], 'owner', ARGV[3])
          keepfor(key, tonumber(ARGV[5]))
          redis.call('ZADD', own, ARGV[4], ARGV[1])
          redis.call('ZADD', all, ARGV[4], ARGV[1])
          keepfor(own, tonumber(ARGV[5]))
          keepfor(all, tonumber(ARGV[5]))
          keeprest(ARGV[1], ARGV[3], ARGV[10], ARGV[4], tonumber(ARGV[11]), ARGV[7])
          return 'kept'
          """;

  /** Ends a context and tells all gateways. KEYS: prefix; ARGV: identifier. Gives ended or none. */
  static final String END =
      """
      local p = KEYS[1]
      local key = p .. 'context:' .. ARGV[1]
      local owner = redis.call('HGET', key, 'owner')
      if owner then
        redis.call('ZREM', p .. 'owner:' .. owner, ARGV[1])
        redis.call('ZREM', p .. 'rests:' .. owner, ARGV[1])
      end
      redis.call('ZREM', p .. 'all', ARGV[1])
      redis.call('ZREM', p .. 'rests', ARGV[1])
      redis.call('DEL', p .. 'rest:' .. ARGV[1])
      local there = redis.call('DEL', key)
      redis.call('PUBLISH', p .. 'ended', ARGV[1])
      return there == 1 and 'ended' or 'none'
      """;

  /** Tells since when it remembers. KEYS: since; ARGV: now, which is that where it is new. */
  static final String BEGUN =
      """
      local since = redis.call('GET', KEYS[1])
      if since then return since end
      redis.call('SET', KEYS[1], ARGV[1])
      return ARGV[1]
      """;

  /**
   * Sets a mark. KEYS: since, mark; ARGV: now, since as the gateway knows it, the question, left.
   * Gives since and who set the mark before, or since alone where the gateway does not know that:
   * then no mark is set.
   */
  static final String TAKE =
      """
      local since = redis.call('GET', KEYS[1])
      if not since then
        since = ARGV[1]
        redis.call('SET', KEYS[1], since)
      end
      if since ~= ARGV[2] then return {since} end
      return {since, redis.call('SET', KEYS[2], ARGV[3], 'NX', 'GET', 'PX', ARGV[4])}
      """;

  private RedisScripts() {}
}
