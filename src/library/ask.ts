// One live conversation with a target, at the limiter's pace. It writes nothing to the disk.
import { randomBytes } from 'node:crypto'
import { pageTurns } from '../analysis/comparing/conversations.ts'
import { createFold } from '../analysis/figures/fold.ts'
import { gradedQuestions, type Repeats } from '../analysis/figures/graded.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { digits } from '../domain/format.ts'
import { createTurnJoiner, type JournalRecord } from '../domain/journal.ts'
import { type Mask, maskText, maskValue } from '../domain/secret.ts'
import { stopMessage } from '../domain/stop.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { recordedOptions } from '../options/manifest.ts'
import type { CommandOptions } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { openThread, type ThreadState } from '../runner/thread.ts'
import { openArticles, readTaught } from './articles.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { openLimiters, openSandbox, resolveTarget, type Target } from './targets.ts'
import { openPaced } from './paced.ts'
import { type Ports, realPorts, SHIPPED_KNOWLEDGE_BASE } from './ports.ts'
import { createManifest, type Recording } from './session.ts'

/** Are those of `run` for one target; `maxCalls` counts the attempts of the whole conversation. */
export type ConversationOptions = CommandOptions<'run'> & SendingOptions

export interface Conversation {
  /**
   * Sends the message in the conversation so far, in at most `maxAttempts`. Resolves also without an answer.
   * Rejects with UsageError, and sends nothing, for an empty message, during another question, once
   * `maxCalls` are used up, and after the end.
   */
  readonly ask: (message: string, maxAttempts?: number) => Promise<PageTurn>
  /** Counts the attempts so far, retries included. */
  readonly calls: () => number
  /** Gives up a call in flight; closes the connections, and the sandbox. */
  readonly close: () => Promise<void>
}

export async function openConversation(
  options: ConversationOptions,
  ports: Ports = realPorts(),
): Promise<Conversation> {
  const closing = new AbortController()
  const orClosing = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])])
  const [signal, abandon] = [orClosing(options.signal), orClosing(options.abandon)]
  const job = readJob('run', { ...options, signal, abandon }, ports)
  try {
    return await converse(await openTarget(job), job, () => closing.abort())
  } catch (error) {
    await job.close()
    throw error
  }
}

async function openTarget(job: Job): Promise<Target> {
  if (job.sandbox !== false) return openSandbox(job.settings, job)
  const [target, ...others] = job.targets
  if (others.length === 0) return resolveTarget(target, job)
  throw optionError('target', 'must name one target of the config file: a conversation has one')
}

async function converse(target: Target, job: Job, end: () => void): Promise<Conversation> {
  const { mask } = target.access
  const { groundedSources, maxCalls: budget } = recordedOptions.parse(target.settings)
  const consult = await openConsultant(target, groundedSources, job)
  const send = await openSending(target, job)
  const endUserRef = randomBytes(6).toString('hex')
  const asked: Repeats[] = []
  let before = { conversationId: undefined as string | undefined, contextLost: false }
  let [calls, turn] = [0, 0]
  let underWay: Promise<PageTurn> | undefined

  const askNow = async (message: string, maxCalls: number): Promise<PageTurn> => {
    turn += 1
    const place = { id: String(turn), thread: 'asked', turn, file: 0, line: turn }
    const question = { ...place, message, endUserRef, tags: [], mustPass: false, cells: {} }
    const thread = { ...openThread(0, [{ index: turn - 1, question }], 1), ...before }
    const { stop, records } = await send(thread, calls, maxCalls)
    for (const record of records) {
      if (record.kind === 'intent') calls += 1
      if (record.kind === 'result' && record.result.kind === 'reply')
        before = { ...before, conversationId: record.result.reply.conversationId }
    }
    before = { ...before, contextLost: thread.contextLost }
    const repeats = fold(records)
    asked.push(repeats)
    const articlesOf = consult?.(asked)
    const showing = { groundedSources, reviewingOf: undefined, rows: new Map(), articlesOf }
    const [answered] = pageTurns(repeats, showing)
    if (answered === undefined) throw new Error('a question was folded into none')
    if (stop.kind === 'done') return answered
    return { ...answered, error: answered.error ?? maskText(stopMessage(stop).text, mask) }
  }
  return {
    ask: async (message, maxAttempts = Infinity) => {
      const maxCalls = Math.min(budget ?? Infinity, calls + maxAttempts)
      if (job.signals.stop.aborted) throw new UsageError('the conversation has ended: start another one')
      if (underWay !== undefined) throw new UsageError('another question is under way: wait for its answer')
      if (message.trim() === '') throw new UsageError('the question is empty: write one')
      if (calls >= maxCalls) {
        const used = `the call budget of ${digits(maxCalls)} is used up (--max-calls)`
        throw new UsageError(`${used}: start another conversation`)
      }
      underWay = askNow(message.trim(), maxCalls)
      return underWay.finally(() => {
        underWay = undefined
      })
    },
    calls: () => calls,
    close: async () => {
      end()
      await underWay?.catch(() => undefined)
      await job.close()
    },
  }
}

function fold(records: readonly JournalRecord[]): Repeats {
  const folding = createFold()
  const join = createTurnJoiner()
  for (const [offset, record] of records.entries())
    folding.add(join(record), { journal: 0, offset, length: 0 })
  const pick = ({ offset }: { readonly offset: number }): JournalRecord => {
    const record = records[offset]
    if (record === undefined) throw new Error(`there is no record ${offset}`)
    return record
  }
  const [repeats] = gradedQuestions(folding.finish(), pick, { groundedSources: [] })
  if (repeats === undefined) throw new Error('the question was not recorded')
  return repeats
}

async function openConsultant(target: Target, groundedSources: readonly string[], { note }: Job) {
  const { settings, sandbox, knowledgeBase = SHIPPED_KNOWLEDGE_BASE } = target
  if (settings.articles === undefined && !sandbox) return undefined
  const { readArticles } = await import('../articles/read.ts')
  const articles =
    settings.articles === undefined
      ? (await readArticles(knowledgeBase, { mayBeEmpty: true })).articles
      : await openArticles(settings.articles, settings, note)
  if (articles.length === 0) return undefined
  const { consultArticles, indexArticles } = await import('../analysis/articles/consult.ts')
  const indexes = indexArticles(articles, await readTaught(settings))
  return (asked: readonly Repeats[]) => consultArticles(asked, groundedSources, indexes).of
}

async function openSending(target: Target, job: Job) {
  const clock = sessionClock(job.ports.clock)
  const limiter = (await openLimiters([target], job))(target)
  const nothing = { set: { files: [], columns: [], warnings: [] }, turns: [], all: [], shard: undefined }
  const made = createManifest(target, '', nothing, clock.wall())
  return async (thread: ThreadState, attemptsBefore: number, maxCalls: number) => {
    const records: JournalRecord[] = []
    // A question that is sent alone in a fresh conversation is another question.
    const options = {
      ...made.options,
      onAmbiguous: 'fail' as const,
      confirm: 0,
      maxCalls,
      untilDecided: false,
    }
    const plan = {
      target,
      recording: inMemory(records, target.access.mask),
      manifest: { ...made, options },
      threads: [thread],
      clock,
      number: 1,
      attemptsBefore,
      opening: thread.turns.map((turn) => ({ kind: 'question' as const, ...turn })),
    }
    const { session, schedule } = await openPaced(plan, limiter, job)
    await session.send(schedule)
    return { stop: session.stop ?? { kind: 'done' as const }, records }
  }
}

const inMemory = (records: JournalRecord[], mask: Mask): Recording => ({
  path: '',
  lost: new AbortController().signal,
  check: () => undefined,
  openJournal: () => ({
    append: (record) => void records.push(maskValue(record, mask) as JournalRecord),
    appended: () => records.length,
    flush: () => undefined,
    close: async () => Promise.resolve(),
  }),
  writeManifest: () => undefined,
})
