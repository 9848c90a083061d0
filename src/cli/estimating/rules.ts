// The options that decide how many calls may be counted, with their defaults.
import type { CallRules } from '../../analysis/estimate/worst-case.ts'
import { NO_GATES } from '../../domain/gate.ts'
import type { RunSettings } from '../options/run-options.ts'

export const callRules = ({
  onAmbiguous = 'restart',
  rotatingIds = false,
  confirm = NO_GATES.confirm,
  passPolicy = NO_GATES.passPolicy,
}: Pick<RunSettings, 'onAmbiguous' | 'rotatingIds' | 'confirm' | 'passPolicy'>): CallRules => ({
  restartOnAmbiguous: onAmbiguous === 'restart',
  rotatingIds,
  confirm,
  passPolicy,
})
