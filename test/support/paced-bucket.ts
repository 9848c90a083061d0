// A token bucket in virtual time, for policies.

/** Takes or refuses a call at a time in milliseconds; it begins full. */
export function bucketOf(perSecond: number, burst: number): (now: number) => boolean {
  let tokens = Math.max(1, burst)
  let filledAt: number | undefined
  return (now) => {
    tokens = Math.min(Math.max(1, burst), tokens + ((now - (filledAt ?? now)) * perSecond) / 1000)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
