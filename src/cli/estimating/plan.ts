// Estimates of a run that is not begun, one a target: question sets and options as `run` would take them, without a key.
import { estimateRun } from '../../analysis/estimate/estimate.ts'
import type { QuestionSet } from '../../dataset/read.ts'
import type { Estimate } from '../../domain/estimate.ts'
import { parseShard, partOfBudget } from '../../domain/shard.ts'
import { loadConfig, type Config } from '../config.ts'
import { inWordsOf } from '../config-words.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import type { RunSettings } from '../../library/read-options.ts'
import type { PlannedQuestions } from '../planned-questions.ts'
import { loadQuestionSets, refuseTwice } from '../question-sets.ts'
import { quotaFrom } from '../quota.ts'
import { selectThreads } from '../selection.ts'
import { planPart } from '../shard.ts'
import { giveWayToTyped, saysWhom, settingsOfTargets } from '../targets.ts'
import { speedOf } from './pace.ts'
import { callRules } from './rules.ts'

export interface TargetEstimate extends Estimate {
  /** Null where none was named. */
  readonly target: string | null
}

export interface PlannedEstimates {
  readonly estimates: readonly TargetEstimate[]
  /** What the reader of the sets should know. */
  readonly warnings: readonly string[]
  /** `--json`, wherever it was said. */
  readonly isJson: boolean
}

/** Taken where nobody says how long an answer takes, and said to be. */
const ASSUMED_ANSWER_MS = 3000

/** Throws UsageError where a run of the same words would. */
export async function planEstimates(
  datasets: readonly string[],
  typed: RunSettings,
): Promise<PlannedEstimates> {
  const config = giveWayToTyped(typed, await loadConfig(typed.config))
  return inWordsOf(config, typed, async () => planWith(config, datasets, typed))
}

async function planWith(
  config: Config,
  datasets: readonly string[],
  typed: RunSettings,
): Promise<PlannedEstimates> {
  refuseTwice(datasets)
  const settings: RunSettings = { ...config.settings, ...typed }
  const targets = targetsOf(typed, config)
  hideKey(KEY_VARIABLE)
  for (const [, { apiKeyEnv = KEY_VARIABLE }] of targets) hideKey(apiKeyEnv)
  for (const [, one] of targets) quotaFrom(one)
  const set = await loadQuestionSets(datasets, settings)
  const { questions } = planPart(selectThreads(set.threads, settings), settings.shard)
  const estimates = targets.map(([target, one]): TargetEstimate => ({
    target,
    ...estimateTarget(one, typed, set, questions),
  }))
  return { estimates, warnings: set.warnings, isJson: settings.json === true }
}

/** Those that are named, or the only one of the config file; none need be, and the sandbox is none. */
function targetsOf(typed: RunSettings, config: Config): [name: string | null, settings: RunSettings][] {
  const settings = { ...config.settings, ...typed }
  const known = [...config.targets.keys()]
  const names = settings.target ?? (known.length === 1 && !saysWhom(settings) ? known : undefined)
  return names === undefined || settings.sandbox === true
    ? [[null, settings]]
    : settingsOfTargets(names, typed, config)
}

function estimateTarget(
  settings: RunSettings,
  { answerTime }: RunSettings,
  { files }: QuestionSet,
  questions: PlannedQuestions,
): Estimate {
  const { repeat = 1, maxCalls } = settings
  return estimateRun(
    { chains: questions.openThreads(1), repeat, files },
    {
      ...callRules(settings),
      callsLeft: callsOf(maxCalls, settings.shard),
      quota: quotaFrom(settings),
      time: {
        ...speedOf(settings),
        answerMs: answerTime ?? ASSUMED_ANSWER_MS,
        answerSource: answerTime === undefined ? 'assumed' : 'given',
      },
    },
  )
}

/** Of a part of a run: its part of them. */
function callsOf(maxCalls: number | undefined, shard: string | undefined): number | null {
  if (maxCalls === undefined) return null
  const part = shard === undefined ? undefined : parseShard(shard)
  return part === undefined ? maxCalls : partOfBudget(maxCalls, part)
}
