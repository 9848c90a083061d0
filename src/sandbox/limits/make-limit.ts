// From a rule of the config file to the limit that keeps it.
import { fixedWindow } from './fixed-window.ts'
import { gcra } from './gcra.ts'
import type { Limit, LimitRule } from './rule.ts'
import { slidingWindow } from './sliding-window.ts'
import { tokenBucket } from './token-bucket.ts'

export function makeLimit(rule: LimitRule): Limit {
  switch (rule.kind) {
    case 'fixed-window':
      return fixedWindow(rule.limit, rule.window)
    case 'sliding-window':
      return slidingWindow(rule.limit, rule.window)
    case 'token-bucket':
      return tokenBucket(rule.limit, rule.window, rule.burst ?? rule.limit)
    case 'gcra':
      return gcra(rule.limit, rule.window, rule.burst ?? 1)
  }
}
