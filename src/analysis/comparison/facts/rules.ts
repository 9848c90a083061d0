// All rules for facts, in the order in which they read a text.
import { addressRules, phoneRule } from './addresses.ts'
import { dateRules } from './dates.ts'
import { durationRules } from './durations.ts'
import { numberRules, quantityRules } from './quantities.ts'
import type { FactRule } from './rule.ts'
import { timeRules } from './times.ts'
import { wordingRules } from './wording.ts'

/** Each rule sees what the ones before it left: a date is no three numbers. */
export const RULES: readonly FactRule[] = [
  ...addressRules,
  ...dateRules,
  ...timeRules,
  phoneRule,
  ...quantityRules,
  ...durationRules,
  ...wordingRules,
  ...numberRules,
]
