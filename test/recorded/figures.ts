// Picks the figures that the recorded cases compare from the program's reports. A change of a report's format
// changes this file.

type Json = Record<string, unknown>

const RUN_FIGURES = {
  turns: undefined,
  contextSource: undefined,
  status: undefined,
  coverage: ['rate', 'grounded', 'answered', 'low', 'high', 'cluster'],
  errors: ['rate', 'byOutcome', 'byHttpStatus', 'byCode'],
  expectations: ['rate', 'passed', 'failed', 'none', 'notGraded'],
  latencyMs: undefined,
  failureLatencyMs: undefined,
  waitMs: undefined,
  quota: ['attempts', 'certain', 'possible', 'notCounted', 'min', 'max', 'shareOfQuota'],
} as const

const pick = (value: unknown, names: readonly string[] | undefined): unknown =>
  names === undefined || value === null || value === undefined
    ? value
    : Object.fromEntries(names.map((name) => [name, (value as Json)[name]]))

const figuresOf = (figures: Json): Json =>
  Object.fromEntries(Object.entries(RUN_FIGURES).map(([name, fields]) => [name, pick(figures[name], fields)]))

const gates = (thresholds: readonly Json[]): unknown =>
  thresholds.map((threshold) => pick(threshold, ['expression', 'value', 'passed']))

/** `summary.json` */
export const runFigures = (summary: Json): Json => ({
  ...pickAll(summary, ['state', 'verdict', 'exitCode']),
  ...figuresOf(summary),
  rate429: (summary['pacing'] as Json)['rate429'],
  ...(summary['comparison'] === null ? {} : { comparison: pick(summary['comparison'], ['verdict']) }),
  ...(summary['articles'] === undefined ? {} : pickAll(summary, ['articles', 'unsupported'])),
  thresholds: gates(summary['thresholds'] as Json[]),
  tags: Object.fromEntries(
    Object.entries(summary['tags'] as Record<string, Json>).map(([tag, of]) => [tag, figuresOf(of)]),
  ),
  flaky: (summary['flaky'] as Json[]).map((question) => ({
    ...pickAll(question, ['id', 'answered', 'passRate', 'groundingRate']),
    passFlaky: isMixed(question['passRate']),
    groundFlaky: isMixed(question['groundingRate']),
  })),
})

const isMixed = (rate: unknown): boolean => typeof rate === 'number' && rate > 0 && rate < 1

/** `load.json` */
export const loadFigures = (report: Json): Json => ({
  ...pickAll(report, [
    'state',
    'verdict',
    'exitCode',
    'offered',
    'dropped',
    'turns',
    'contextSource',
    'status',
  ]),
  ...pickAll(report, ['serviceMs', 'responseMs', 'waitMs', 'sendLagMs']),
  errors: pick(report['errors'], RUN_FIGURES.errors),
  quota: pick(report['quota'], RUN_FIGURES.quota),
  rate429: (report['pacing'] as Json)['rate429'],
  thresholds: gates(report['thresholds'] as Json[]),
})

/** `limit.json` */
export const limitFigures = (report: Json): Json => ({
  ...pickAll(report, ['state', 'verdict', 'exitCode']),
  calls: pick(report['calls'], ['sent', 'refused', 'lost']),
  quota: pick(report['quota'], RUN_FIGURES.quota),
  limit: limitModel(report['finding'] as Json),
})

const limitModel = (finding: Json): Json => ({
  kind: finding['kind'],
  sustainedPerSecond: finding['ratePerSecond'] ?? finding['acceptedPerSecond'],
  windowMs: finding['windowMs'] ?? null,
  burst: finding['limit'] ?? finding['burst'] ?? null,
})

/** `comparison.json` */
export const comparisonFigures = (comparison: Json): Json => ({
  ...pickAll(comparison, ['verdict', 'exitCode']),
  candidates: (comparison['candidates'] as Json[]).map((candidate) => ({
    overlap: pick(candidate['overlap'], ['shared', 'baseline', 'candidate', 'share']),
    rules: Object.fromEntries((candidate['gates'] as Json[]).map(({ rule, passed }) => [rule, passed])),
    grounded: shareFigures(candidate['grounding']),
    passed: shareFigures(candidate['verdicts']),
    changes: countKinds(candidate['changes'] as Json[]),
    answers: candidate['answers'],
    ...(candidate['articles'] === undefined ? {} : { articles: candidate['articles'] }),
    added: (candidate['added'] as Json[]).map(({ id }) => id),
    removed: (candidate['removed'] as Json[]).map(({ id }) => id),
  })),
})

const shareFigures = (share: unknown): unknown =>
  pick(share, ['questions', 'baseline', 'candidate', 'difference', 'p', 'test'])

function countKinds(changes: readonly Json[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of changes.flatMap(({ kinds }) => kinds as string[])) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const pickAll = (value: Json, names: readonly string[]): Json => pick(value, names) as Json

/** JUnit with its cases and their results, without messages. */
export const junitWithoutWords = (xml: string): string =>
  xml
    .replaceAll(/(<(failure|error|skipped)\b[^>]*?) message="[^"]*"/g, '$1')
    .replaceAll(/(<(failure|error|skipped|system-out|system-err)\b[^>/]*>)[^<]*(<\/\2>)/g, '$1$3')
