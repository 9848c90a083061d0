// `openConversation`: one live conversation with a target, question by question, at the limiter's pace. It
// writes nothing to the disk.
import { randomBytes } from 'node:crypto'
import { pageTurns } from '../analysis/conversations.ts'
import { createFold } from '../analysis/fold.ts'
import { gradedQuestions } from '../analysis/graded.ts'
import type { Repeats } from '../analysis/repeats.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { digits } from '../domain/format.ts'
import { createTurnJoiner, type JournalRecord } from '../domain/journal.ts'
import { maskText, maskValue } from '../domain/secret.ts'
import { type Stop, stopMessage } from '../domain/stop.ts'
import { optionError, UsageError } from '../options/faults.ts'
import { recordedOptions } from '../options/manifest.ts'
import type { CommandOptions, OwnOptions } from '../options/settings.ts'
import { sessionClock } from '../runner/clock.ts'
import { runThreads } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import { openThread, type ThreadState } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { openArticles } from './articles.ts'
import { type Job, readJob, type SendingOptions } from './job.ts'
import { openLimiters } from './limiters.ts'
import { type Ports, realPorts } from './ports.ts'
import { stopOfLost } from './run.ts'
import { connect } from './send.ts'
import { SHIPPED_KNOWLEDGE_BASE } from './shipped.ts'
import { endOfSession, onAbort, unlessStalled } from './signals.ts'
import { readTaught, taughtFiles } from './taught.ts'
import { openSandbox, resolveTarget, type Target } from './targets.ts'

/** Those of one target of `run`. `maxCalls` counts the attempts of the whole conversation. */
export type ConversationOptions = Pick<
  CommandOptions<'run'>,
  Extract<keyof OwnOptions, keyof CommandOptions<'run'>> | 'target' | 'kb' | 'column'
> &
  Pick<SendingOptions, 'apiKey' | 'sandbox' | 'targets' | 'signal' | 'abandon'>

/** One question and what came of it. `error`: why there is no answer. */
export type AskedTurn = PageTurn

export interface Conversation {
  /**
   * Sends the message in the conversation so far, in at most `maxAttempts`. Resolves also without an answer.
   * Rejects with UsageError, and sends nothing, for an empty message, during another question, once
   * `maxCalls` are used up, and after the end.
   */
  readonly ask: (message: string, maxAttempts?: number) => Promise<AskedTurn>
  /** Attempts so far, retries included. */
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
    const target = await targetOf(job)
    const consult = await openConsultant(target, job)
    const send = await openSending(target, job)
    return createConversation(target, job, send, consult, () => closing.abort())
  } catch (error) {
    await job.close()
    throw error
  }
}

function createConversation(
  target: Target,
  job: Job,
  send: Awaited<ReturnType<typeof openSending>>,
  consult: Awaited<ReturnType<typeof openConsultant>>,
  end: () => void,
): Conversation {
  const { mask } = target.access
  const { groundedSources, maxCalls: budget } = recordedOptions.parse(target.settings)
  const endUserRef = randomBytes(6).toString('hex')
  const asked: Repeats[] = []
  let before: Pick<ThreadState, 'conversationId' | 'contextLost'> = {
    conversationId: undefined,
    contextLost: false,
  }
  let [calls, turn] = [0, 0]
  let underWay: Promise<AskedTurn> | undefined

  const check = (message: string, maxCalls: number): void => {
    if (job.signals.stop.aborted) throw new UsageError('the conversation has ended: start another one')
    if (underWay !== undefined) throw new UsageError('another question is under way: wait for its answer')
    if (message.trim() === '') throw new UsageError('the question is empty: write one')
    if (calls < maxCalls) return
    const used = `the call budget of ${digits(maxCalls)} is used up (--max-calls)`
    throw new UsageError(`${used}: start another conversation`)
  }
  const askNow = async (message: string, maxCalls: number): Promise<AskedTurn> => {
    turn += 1
    const place = { id: String(turn), thread: 'asked', turn, file: 0, line: turn }
    const question = { ...place, message: message.trim(), endUserRef, tags: [], mustPass: false, cells: {} }
    const planned = { index: turn - 1, question }
    const records: JournalRecord[] = []
    const record = (one: JournalRecord): void => {
      if (one.kind === 'intent') calls += 1
      if (one.kind === 'result' && one.result.kind === 'reply')
        before = { ...before, conversationId: one.result.reply.conversationId }
      records.push(maskValue(one, mask) as JournalRecord)
    }
    record({ kind: 'question', ...planned })
    const thread = { ...openThread(0, [planned], 1), ...before }
    const stop = await send(thread, record, calls, maxCalls)
    before = { ...before, contextLost: thread.contextLost }
    const repeats = fold(records)
    asked.push(repeats)
    const articlesOf = consult?.(asked)
    const [only] = pageTurns(repeats, {
      groundedSources,
      reviewingOf: undefined,
      rows: new Map(),
      articlesOf,
    })
    if (only === undefined) throw new Error('a question was folded into none')
    if (stop.kind === 'done') return only
    return { ...only, error: only.error ?? maskText(stopMessage(stop).text, mask) }
  }
  return {
    ask: async (message, maxAttempts = Infinity) => {
      const maxCalls = Math.min(budget ?? Infinity, calls + maxAttempts)
      check(message, maxCalls)
      underWay = askNow(message, maxCalls)
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
  for (const [offset, one] of records.entries()) folding.add(join(one), { journal: 0, offset, length: 0 })
  const pick = ({ offset }: { readonly offset: number }): JournalRecord => {
    const one = records[offset]
    if (one === undefined) throw new Error(`there is no record ${offset}`)
    return one
  }
  const [repeats] = gradedQuestions(folding.finish(), pick, { passPolicy: 'all', groundedSources: [] })
  if (repeats === undefined) throw new Error('the question was not recorded')
  return repeats
}

async function targetOf(job: Job): Promise<Target> {
  const { settings, sandbox, targets } = job
  if (sandbox !== false) return openSandbox(settings, job)
  const [target, ...others] = targets
  if (target !== undefined && others.length === 0) return resolveTarget(target, job)
  throw optionError('target', 'must name one target of the config file: a conversation has one')
}

/** Returns what holds the questions so far against the articles; undefined without any. */
async function openConsultant(
  { settings, sandbox, knowledgeBase = SHIPPED_KNOWLEDGE_BASE }: Target,
  { note }: Job,
) {
  if (settings.articles === undefined && !sandbox) return undefined
  const { readArticles } = await import('../articles/read.ts')
  const articles =
    settings.articles === undefined
      ? (await readArticles(knowledgeBase, { mayBeEmpty: true })).articles
      : await openArticles(settings.articles, settings, note)
  if (articles.length === 0) return undefined
  const { consultArticles, indexArticles } = await import('../analysis/articles.ts')
  const taught = await readTaught(taughtFiles(settings, settings))
  const indexes = indexArticles(articles, taught)
  const { groundedSources } = recordedOptions.parse(settings)
  return (asked: readonly Repeats[]) => consultArticles(asked, articles, groundedSources, indexes).of
}

/** Returns what sends the current turn of a thread until it has an outcome, or sending stops. */
async function openSending(target: Target, job: Job) {
  const { ports, signals } = job
  const options = recordedOptions.parse(target.settings)
  const clock = sessionClock(ports.clock)
  const limiter = (await openLimiters([target], job))(target)
  const own = endOfSession(new AbortController().signal)
  onAbort(limiter.lost, (error) => own.end(stopOfLost(error)))
  const client = await connect(target, options.timeout, clock, job)
  job.onClose(async () => client.close())
  const rules = {
    // A question that is sent alone in a fresh conversation is another question.
    ...turnRulesOf({ rotatingIds: options.rotatingIds, onAmbiguous: 'fail' }),
    runId: '',
    giveUpAfterMs: options.giveUpAfter,
  }
  return async (
    thread: ThreadState,
    record: (one: JournalRecord) => void,
    attemptsBefore: number,
    maxCalls: number,
  ): Promise<Stop> => {
    const wire = { send: client.send, record, limiter, clock, note: job.note }
    const stop = AbortSignal.any([signals.stop, own.signal])
    const sending = runThreads([thread], wire, { ...rules, attemptsBefore, maxCalls }, stop)
    return own.reasonFor(await unlessStalled('asking', sending).catch(stopOfError), signals.stop)
  }
}
