// What must happen in Redis in one step, as Lua. Every key expires; Redis's clock alone measures how old a thing is.

/** What another night may use, and how long a fencing number is remembered. */
const KEPT_MS = 7 * 24 * 3_600_000

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`
/** What cannot be kept, as no memory is left, is lost to a successor alone: the members hear it all the same. */
const KEEP = `
local function keep(key, text)
  redis.pcall('SET', key, string.format('%.0f|', now) .. text, 'PX', '${KEPT_MS}')
end
`

/**
 * KEYS one of its own. ARGV own channel. Does once, for nothing, all that is done later: what would not work is known before
 * anything is sent. Returns the command that failed, and what was said of it; or nothing.
 */
export const REHEARSE = `
local steps = {
  { 'TIME' }, { 'SET', KEYS[1], '', 'PX', '1000' }, { 'GET', KEYS[1] }, { 'PEXPIRE', KEYS[1], '1000' }, { 'DEL', KEYS[1] },
  { 'PUBLISH', ARGV[1], '' },
}
for _, step in ipairs(steps) do
  local reply = redis.pcall(unpack(step))
  if type(reply) == 'table' and reply.err then return { step[1], reply.err } end
end
return {}
`

/**
 * KEYS lease, fence, published. ARGV own id, lease in ms, highest fence known, suspect term, prefix of channels, term in
 * which it conducts.
 * Returns the term, 1 where it was just taken, and then what was published and its age.
 */
export const CLAIM = `${NOW}
local term = redis.call('GET', KEYS[1])
local own = ':' .. ARGV[1]
if term and term == ARGV[6] then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[2], '${KEPT_MS}')
  return { term, 0 }
end
if term and term:sub(-#own) == own then term = false end
if term and term == ARGV[4] then
  local holder = term:match(':(.*)$')
  if redis.call('PUBLISH', ARGV[5] .. holder, '') == 0 then term = false end
end
if term then return { term, 0 } end
local fence = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[3])) + 1
term = string.format('%.0f', fence) .. own
redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', '${KEPT_MS}')
redis.call('SET', KEYS[1], term, 'PX', ARGV[2])
local published = redis.call('GET', KEYS[3])
if not published then return { term, 1 } end
local at, text = published:match('^(%d+)|(.*)$')
return { term, 1, string.format('%.0f', math.max(0, now - tonumber(at))), text }
`

/** KEYS lease, published. ARGV term, channel, text, what to keep or nothing. Returns receivers, -1 where deposed. */
export const PUBLISH = `${NOW}${KEEP}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
if ARGV[4] ~= '' then keep(KEYS[2], ARGV[4]) end
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`

/** KEYS lease, published. ARGV term, channel of all, text, what to keep. */
export const RELEASE = `${NOW}${KEEP}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
keep(KEYS[2], ARGV[4])
redis.call('DEL', KEYS[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`
