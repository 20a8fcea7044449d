import { createHash } from 'node:crypto';

/**
 * One atomic step on one key. What a key holds begins with its kind: `v` for a value, `t` for a tombstone, `q` for a
 * quota, a digit or a minus sign for a counter. Each script reads before it writes and names nothing but its key, as Redis Cluster asks.
 */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

const script = (lua: string): Script => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

/** ARGV: what to hold, milliseconds. Nil when it was stored, else the kind of what was there. */
export const putIfAbsent = script(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
return redis.call('GETRANGE', KEYS[1], 0, 0)`);

/** ARGV: the tombstone, milliseconds. What was there before, or nil; only a live value is replaced. */
export const redeem = script(`
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, 1) == 'v' then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return held`);

/** ARGV: milliseconds, what to add. The sum and the milliseconds left, or nil when the key is no counter. */
export const increment = script(`
local kind = redis.call('GETRANGE', KEYS[1], 0, 0)
if kind == 'v' or kind == 't' or kind == 'q' then return false end
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if kind == '' then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`);

/**
 * ARGV: units of the quota, milliseconds, units asked for. How many were taken, how many are left and the milliseconds
 * until one more; nil when the key is no quota. The key lives until the quota is whole again, so its time to live is what
 * is owed: no clock is asked. The value says by how much that was rounded up.
 */
export const takeMany = script(`
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, 1) ~= 'q' then return false end
local quota, window, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local unit = window / quota
local owed = 0
if held then owed = math.max(0, redis.call('PTTL', KEYS[1]) - tonumber(string.sub(held, 2))) end
local taken = math.max(0, math.min(most, math.floor((window - owed) / unit + 1e-6)))
if taken > 0 then
  owed = owed + taken * unit
  local ttl = math.ceil(owed)
  redis.call('SET', KEYS[1], 'q' .. (ttl - owed), 'PX', ttl)
end
local left = math.max(0, math.floor((window - owed) / unit + 1e-6))
return {taken, left, math.max(1, math.ceil(owed - window + (left + 1) * unit - 1e-6))}`);

/** ARGV: what must be held. Nil when it was deleted, else the kind of what is there (empty: nothing). */
export const compareAndDelete = script(`
local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then redis.call('DEL', KEYS[1]) return false end
return string.sub(held or '', 1, 1)`);
