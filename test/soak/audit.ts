// What a journal says of a run that was killed and resumed: read independently of the harness's own reader.

interface Loose {
  readonly kind: string
  readonly attempt?: number
  readonly question?: number
  readonly index?: number
  readonly repeat?: number
  readonly conversation?: number
  readonly outcome?: string
  readonly cause?: string
  readonly question_?: unknown
}

export interface JournalAudit {
  readonly sittings: number
  readonly attempts: number
  readonly dangling: number
  readonly tornLines: number
  /** Turns that were asked although an answer of theirs stood. */
  readonly askedAgain: readonly string[]
  /** Turns with other than one outcome that stands. */
  readonly withoutOutcome: number
  /** Attempts that repeated what had been sent before (429 apart), and how many restarts explain. */
  readonly repeated: number
  readonly explained: number
  /** Highest number of an attempt: no number was given twice. */
  readonly numbersTwice: number
}

export function auditJournal(text: string): JournalAudit {
  const threadOf = new Map<number, string>()
  const members = new Map<string, number[]>()
  const standing = new Map<number, string>()
  const sentIn = new Map<number, number>()
  const results = new Set<number>()
  const intents = new Map<number, number>()
  const refusedLast = new Set<number>()
  const askedAgain: string[] = []
  let [sittings, tornLines, repeated, explained, numbersTwice] = [0, 0, 0, 0, 0]

  for (const line of text.split('\n')) {
    if (line === '') continue
    const record = parse(line)
    if (record === undefined) {
      tornLines += 1
      continue
    }
    const { kind, attempt = 0 } = record
    if (kind === 'sitting') sittings += 1
    if (kind === 'question') {
      const { index, question } = record as unknown as { index: number; question: { thread: string } }
      threadOf.set(index, question.thread)
      members.set(question.thread, [...(members.get(question.thread) ?? []), index])
    }
    if (kind === 'intent') {
      const question = record.question ?? -1
      if (intents.has(attempt)) numbersTwice += 1
      intents.set(attempt, question)
      if (standing.get(question) === 'answered') askedAgain.push(line)
      if (sentIn.has(question) && !refusedLast.has(question)) repeated += 1
      sentIn.set(question, (sentIn.get(question) ?? 0) + 1)
      refusedLast.delete(question)
    }
    if (kind === 'result') {
      results.add(attempt)
      const { result } = record as unknown as {
        result: { kind: string; httpStatus?: number; sent?: boolean }
      }
      const question = intents.get(attempt) ?? -1
      // Certainly not processed: it may be sent again as often as it takes.
      if (result.httpStatus === 429 || (result.kind === 'network' && result.sent === false))
        refusedLast.add(question)
    }
    if (kind === 'outcome') standing.set(record.question ?? -1, record.outcome ?? '')
    if (kind === 'restart')
      for (const index of members.get(threadOf.get(record.question ?? -1) ?? '') ?? []) {
        standing.delete(index)
        // Every turn of the thread that was sent may be sent once more.
        if (sentIn.has(index) && !refusedLast.has(index)) explained += 1
      }
  }
  return {
    sittings,
    attempts: intents.size,
    dangling: [...intents.keys()].filter((attempt) => !results.has(attempt)).length,
    tornLines,
    askedAgain,
    withoutOutcome: [...threadOf.keys()].filter((index) => !standing.has(index)).length,
    repeated,
    explained,
    numbersTwice,
  }
}

function parse(line: string): Loose | undefined {
  try {
    return JSON.parse(line) as Loose
  } catch {
    return undefined
  }
}
