-- The pace of pace.py and refill.py, for processes that share one: the same names, the same order. Change both.
--
-- KEYS[1]  where the state is
-- ARGV[1]  what happened since the last call: {"accepted", round, how often} and {"limited", round, at, seconds or false}
-- ARGV[2]  how many requests may go at most
-- ARGV[3]  who calls, and ARGV[4] how many of its requests are under way
-- ARGV[5]  chance, from 0 to 1
-- ARGV[6]  the constants of pace.py and refill.py
-- ARGV[7]  the time, for tests; empty for that of the server
-- ARGV[8]  for how many seconds the gate is closed at least, as the caller knows
--
-- Answers with how many may go, the round, the time, the seconds until it is worth asking again, the seconds for which
-- the gate is closed, the window, and the rate (empty while there is none). Numbers are text, to lose none of them.

-- Who has said nothing for so many seconds no longer counts: its process may be gone.
local LEASE_SECONDS = 10
-- Where the window is full of others' requests: how soon to ask again.
local POLL_SECONDS = 0.05
local KEPT_SECONDS = 600

local K = cjson.decode(ARGV[6])
local luck = tonumber(ARGV[5])

local now = tonumber(ARGV[7])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) + tonumber(time[2]) / 1000000
end

local function begin_piece(p, at)
  p.piece_at, p.piece, p.answers = at, 0, 0
end

local function forget(p)
  p.window = K.FIRST_WINDOW
  p.rate = nil
  p.next_at = 0
  p.burst = {1, 0}
  p.proven = {}
  p.base = nil
  p.since = now
  p.plateau = K.LEAST_PLATEAU
  p.pieces = {}
  p.piece_at, p.sent_at = now, now
  p.piece, p.accepted, p.answers = 0, 0, 0
  p.refused_at = nil
  p.pauses = 0
end

local function end_piece(p, at)
  table.insert(p.pieces, {p.piece, at - p.piece_at})
  if #p.pieces > K.LONGEST_MEMORY then
    p.accepted = p.accepted - table.remove(p.pieces, 2)[1]
  end
  begin_piece(p, at)
end

local function refill_rate(burst, pieces)
  local taken, seconds = 0, 0
  for _, piece in ipairs(pieces) do
    taken, seconds = taken + piece[1], seconds + piece[2]
  end
  local rate = taken / math.max(seconds, 0.001)
  for _ = 1, K.STEPS do
    local size = math.max(1, K.LEAST_BUCKET * burst[1], burst[1] - rate * burst[2])
    local level = 0
    for _, piece in ipairs(pieces) do
      level = math.min(size, level + rate * piece[2] - piece[1])
    end
    if level >= K.LEFT then
      break
    end
    rate = rate * K.STEP
  end
  return rate
end

local function without_surplus(kept, accepted)
  local surplus = -accepted
  for _, piece in ipairs(kept) do
    surplus = surplus + piece[1]
  end
  while surplus > 0 and #kept > 1 do
    local last = table.remove(kept)
    if last[1] > surplus or #kept == 1 then
      table.insert(kept, {math.max(last[1] - surplus, 1), last[2]})
      break
    end
    surplus = surplus - last[1]
    kept[#kept] = {kept[#kept][1], kept[#kept][2] + math.min(last[2], 0)}
  end
  return kept
end

local function begin_proof(p)
  p.pieces = {}
  p.accepted = 0
end

local function first_measured(p)
  local rate = refill_rate(p.burst, p.pieces)
  if math.abs(p.accepted - p.burst[1]) <= K.SAME_SHARE * p.burst[1] then
    rate = math.max(rate, p.burst[1] / (p.burst[2] + p.pieces[1][2]))
  end
  return math.max(K.SLOWEST, rate)
end

local function end_round(p, refused_at)
  local closed = now - refused_at
  p.since = p.since + closed
  end_piece(p, refused_at)
  p.pieces = without_surplus(p.pieces, p.accepted)
  if not p.rate then
    p.burst = {math.max(1, p.accepted), p.pieces[1][2]}
    p.rate = p.burst[1] / K.BURST_TAKEN_IN
    begin_proof(p)
  elseif not p.base and p.accepted > 0 then
    p.base = first_measured(p)
    p.since = now
    begin_proof(p)
  elseif p.base and p.accepted >= K.PROOF then
    if p.rate > p.base then
      p.since = now
    end
    table.insert(p.proven, refill_rate(p.burst, p.pieces))
    if #p.proven > K.REMEMBERED then
      table.remove(p.proven, 1)
    end
    p.base = math.max(K.SLOWEST, unpack(p.proven))
    begin_proof(p)
  end
  if p.base then
    local plateau = math.max(K.LEAST_PLATEAU, K.PLATEAU_CLOSURES * closed, K.PLATEAU_REQUESTS / p.base)
    p.plateau = math.min(K.LONGEST_PLATEAU, plateau)
  end
  table.insert(p.pieces, {0, closed})
  p.round = p.round + 1
  p.refused_at = nil
  begin_piece(p, now)
end

local function grant(p, under_way)
  if now - p.sent_at > K.FORGET_SECONDS and now >= p.closed_until and under_way == 0 then
    forget(p)
  end
  if under_way >= math.floor(p.window) or now < math.max(p.closed_until, p.next_at) then
    return false
  end
  if p.refused_at then
    end_round(p, p.refused_at)
  elseif not p.rate then
    if now - p.piece_at > K.BURST_SECONDS then
      p.accepted = 0
      begin_piece(p, now)
    end
  elseif not p.base then
    if now - p.piece_at >= K.RAMP_SECONDS and p.answers >= K.RAMP_ANSWERS then
      end_piece(p, now)
      p.rate = p.rate * 2
    end
  else
    if now - p.sent_at > K.PIECE_SECONDS then
      p.since = p.since + (now - p.sent_at)
    end
    if now - p.piece_at >= K.PIECE_SECONDS then
      end_piece(p, now)
    end
  end
  if p.base then
    p.rate = p.base * (K.MARGIN + (1 - K.MARGIN) * ((now - p.since) / p.plateau) ^ 3)
  end
  if p.rate then
    p.next_at = math.max(p.next_at, now - K.CATCH_UP_SECONDS) + 1 / p.rate
  end
  p.sent_at = now
  p.piece = p.piece + 1
  return true
end

local function accepted(p, round)
  if round ~= p.round then
    return
  end
  p.accepted = p.accepted + 1
  p.answers = p.answers + 1
  p.pauses = 0
  if p.refused_at then
    return
  end
  if p.window < K.FIRST_WINDOW then
    p.window = K.FIRST_WINDOW
  elseif not p.rate then
    p.window = p.window + K.ROOM_PER_ANSWER
  else
    p.window = p.window + (p.base and 1 or 1 / p.window)
  end
end

local function limited(p, round, at, seconds)
  local fresh = round == p.round
  if not seconds and fresh and not p.refused_at then
    local pause = math.min(K.LONGEST_PAUSE, K.FIRST_PAUSE * 2 ^ p.pauses)
    seconds = pause / 2 + luck * (pause / 2)
    p.pauses = math.min(p.pauses + 1, K.DOUBLINGS)
  elseif fresh and not p.refused_at and seconds > 0 then
    seconds = seconds + luck * math.max(K.SPREAD_LEAST, K.SPREAD_SHARE * seconds)
  end
  p.closed_until = math.max(p.closed_until, now + (seconds or 0))
  p.next_at = math.max(p.next_at, p.closed_until)
  if fresh then
    p.window = 1
    p.refused_at = math.min(at, p.refused_at or at)
  end
end

local packed = redis.call('GET', KEYS[1])
local p
if packed then
  p = cmsgpack.unpack(packed)
else
  -- A round's number is never used again, also when the state was lost.
  p = {round = math.floor(now * 1000), closed_until = 0, members = {}}
  forget(p)
end

if now < p.sent_at - 1 then
  -- The clock went back, or another server with another clock has taken over.
  local back = p.sent_at - now
  for _, name in ipairs({'next_at', 'closed_until', 'sent_at', 'piece_at', 'since', 'refused_at'}) do
    p[name] = p[name] and p[name] - back
  end
  for _, held in pairs(p.members) do
    held[2] = held[2] - back
  end
end

p.closed_until = math.max(p.closed_until, now + tonumber(ARGV[8] or 0))

for _, event in ipairs(cjson.decode(ARGV[1])) do
  if event[1] == 'accepted' then
    for _ = 1, event[3] do
      accepted(p, event[2])
    end
  else
    limited(p, event[2], event[3], event[4])
  end
end

local under_way, mine = 0, tonumber(ARGV[4])
for member, held in pairs(p.members) do
  if member == ARGV[3] or now - held[2] > LEASE_SECONDS then
    p.members[member] = nil
  else
    under_way = under_way + held[1]
  end
end
local granted = 0
while granted < tonumber(ARGV[2]) and grant(p, under_way + mine + granted) do
  granted = granted + 1
end
if mine + granted > 0 then
  p.members[ARGV[3]] = {mine + granted, now}
end

local closed_for = math.max(0, p.closed_until - now)
local opens_in = math.max(0, math.max(p.closed_until, p.next_at) - now)
if under_way + mine + granted >= math.floor(p.window) then
  opens_in = math.max(opens_in, POLL_SECONDS)
end
redis.call('SET', KEYS[1], cmsgpack.pack(p), 'EX', KEPT_SECONDS + math.ceil(closed_for))

local function text(number)
  return string.format('%.17g', number)
end
return {granted, text(p.round), text(now), text(opens_in), text(closed_for), text(p.window), p.rate and text(p.rate) or ''}
