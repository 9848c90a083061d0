// Picks the figures that the recorded cases compare from the program's reports. A change of a report's format
// changes this file.

type Json = Record<string, unknown>

const pick = (value: unknown, names: string): Json =>
  Object.fromEntries(names.split(' ').map((name) => [name, (value as Json | null)?.[name]]))

/** With the named parts of these figures; of the others, whole. */
const PARTS: Readonly<Record<string, string>> = {
  coverage: 'rate grounded answered low high cluster',
  errors: 'rate byOutcome byHttpStatus byCode',
  expectations: 'rate passed failed none notGraded',
  quota: 'attempts certain possible notCounted min max shareOfQuota',
}
const figuresOf = (report: Json, names: string): Json =>
  Object.fromEntries(
    Object.entries(pick(report, names)).map(([name, value]) => {
      const parts = PARTS[name]
      return [name, parts === undefined || value === null || value === undefined ? value : pick(value, parts)]
    }),
  )

const ENDED = 'state verdict exitCode'
const RUN = 'turns contextSource status coverage errors expectations latencyMs failureLatencyMs waitMs quota'

const gatesAndRate = (report: Json): Json => ({
  rate429: (report['pacing'] as Json)['rate429'],
  thresholds: (report['thresholds'] as Json[]).map((one) => pick(one, 'expression value passed')),
})

const isMixed = (rate: unknown): boolean => typeof rate === 'number' && rate > 0 && rate < 1

export const runFigures = (summary: Json): Json => ({
  ...figuresOf(summary, `${ENDED} ${RUN}`),
  ...gatesAndRate(summary),
  ...(summary['comparison'] === null ? {} : { comparison: pick(summary['comparison'], 'verdict') }),
  ...(summary['articles'] === undefined ? {} : pick(summary, 'articles unsupported')),
  tags: Object.fromEntries(
    Object.entries(summary['tags'] as Record<string, Json>).map(([tag, of]) => [tag, figuresOf(of, RUN)]),
  ),
  flaky: (summary['flaky'] as Json[]).map((question) => ({
    ...pick(question, 'id answered passRate groundingRate'),
    passFlaky: isMixed(question['passRate']),
    groundFlaky: isMixed(question['groundingRate']),
  })),
})

export const loadFigures = (report: Json): Json => ({
  ...figuresOf(
    report,
    `${ENDED} offered dropped turns contextSource status serviceMs responseMs waitMs sendLagMs errors quota`,
  ),
  ...gatesAndRate(report),
})

export function limitFigures(report: Json): Json {
  const finding = report['finding'] as Json
  return {
    ...figuresOf(report, `${ENDED} quota`),
    calls: pick(report['calls'], 'sent refused lost'),
    limit: {
      kind: finding['kind'],
      sustainedPerSecond: finding['ratePerSecond'] ?? finding['acceptedPerSecond'],
      windowMs: finding['windowMs'] ?? null,
      burst: finding['limit'] ?? finding['burst'] ?? null,
    },
  }
}

const SHARE = 'questions baseline candidate difference p test'

export const comparisonFigures = (comparison: Json): Json => ({
  ...pick(comparison, 'verdict exitCode'),
  candidates: (comparison['candidates'] as Json[]).map((candidate) => ({
    overlap: pick(candidate['overlap'], 'shared baseline candidate share'),
    rules: Object.fromEntries((candidate['gates'] as Json[]).map(({ rule, passed }) => [rule, passed])),
    grounded: pick(candidate['grounding'], SHARE),
    passed: pick(candidate['verdicts'], SHARE),
    changes: countKinds(candidate['changes'] as Json[]),
    answers: candidate['answers'],
    ...(candidate['articles'] === undefined ? {} : { articles: candidate['articles'] }),
    added: (candidate['added'] as Json[]).map(({ id }) => id),
    removed: (candidate['removed'] as Json[]).map(({ id }) => id),
  })),
})

function countKinds(changes: readonly Json[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of changes.flatMap(({ kinds }) => kinds as string[])) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** JUnit with its cases and their results, without messages. */
export const junitWithoutWords = (xml: string): string =>
  xml
    .replaceAll(/(<(failure|error|skipped)\b[^>]*?) message="[^"]*"/g, '$1')
    .replaceAll(/(<(failure|error|skipped|system-out|system-err)\b[^>/]*>)[^<]*(<\/\2>)/g, '$1$3')
