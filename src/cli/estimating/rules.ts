// The options that decide how many calls may be counted, with their defaults.
import type { CallRules } from '../../analysis/estimate/worst-case.ts'
import type { RunSettings } from '../../library/read-options.ts'

export const callRules = ({
  onAmbiguous = 'restart',
  rotatingIds = false,
}: Pick<RunSettings, 'onAmbiguous' | 'rotatingIds'>): CallRules => ({
  restartOnAmbiguous: onAmbiguous === 'restart',
  rotatingIds,
})
