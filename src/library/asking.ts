// What a live conversation is held with: its target, the limiter and the client; and the articles.
import type { Consulted } from '../analysis/articles.ts'
import type { Repeats } from '../analysis/repeats.ts'
import type { JournalRecord } from '../domain/journal.ts'
import type { Stop } from '../domain/stop.ts'
import { optionError } from '../options/faults.ts'
import { recordedOptions } from '../options/manifest.ts'
import { sessionClock } from '../runner/clock.ts'
import { runThreads } from '../runner/run.ts'
import { stopOfError } from '../runner/stops.ts'
import type { ThreadState } from '../runner/thread-state.ts'
import { turnRulesOf } from '../runner/turn.ts'
import { openArticles } from './articles.ts'
import type { Job } from './job.ts'
import { openLimiters } from './limiters.ts'
import { stopOfLost } from './run.ts'
import { SHIPPED_KNOWLEDGE_BASE, VERSION } from './shipped.ts'
import { endOfSession, onAbort, unlessStalled } from './signals.ts'
import { openSandbox, resolveTarget, type Target } from './targets.ts'

/** Throws UsageError unless the job has one target. */
export async function targetOf(job: Job): Promise<Target> {
  const { settings, sandbox, targets } = job
  if (sandbox !== false) return openSandbox(settings, job)
  const [target, ...others] = targets
  if (target !== undefined && others.length === 0) return resolveTarget(target, job)
  throw optionError('target', 'must name one target of the config file: a conversation has one')
}

/** Holds the questions so far against the articles. */
export type Consult = (asked: readonly Repeats[]) => Consulted['of']

/** Against those of the target, or of its sandbox; undefined without any. */
export async function openConsultant(
  { settings, sandbox, knowledgeBase = SHIPPED_KNOWLEDGE_BASE }: Target,
  { note }: Pick<Job, 'note'>,
): Promise<Consult | undefined> {
  if (settings.articles === undefined && !sandbox) return undefined
  const { readArticles } = await import('../articles/read.ts')
  const articles =
    settings.articles === undefined
      ? (await readArticles(knowledgeBase, { mayBeEmpty: true })).articles
      : await openArticles(settings.articles, settings, note)
  if (articles.length === 0) return undefined
  const { consultArticles, indexArticles } = await import('../analysis/articles.ts')
  const indexes = indexArticles(articles)
  const { groundedSources } = recordedOptions.parse(settings)
  return (asked) => consultArticles(asked, articles, groundedSources, indexes).of
}

export interface Asking {
  /** Sends the current turn of the thread until it has an outcome, or sending stops. */
  readonly send: (thread: ThreadState, record: (one: JournalRecord) => void, budget: Budget) => Promise<Stop>
}

/**
 * Attempts: those of the conversation so far, and up to which number it may make more; Infinity without
 * limit.
 */
interface Budget {
  readonly calls: number
  readonly maxCalls: number
}

export async function openAsking(target: Target, job: Job): Promise<Asking> {
  const { ports, signals } = job
  const { settings, access } = target
  const options = recordedOptions.parse(settings)
  const clock = sessionClock(ports.clock)
  const limiter = (await openLimiters([target], job))(target)
  const own = endOfSession(new AbortController().signal)
  onAbort(limiter.lost, (error) => own.end(stopOfLost(error)))
  const client = await ports.connect({
    ...access,
    timeoutMs: options.timeout,
    userAgent: `assist-harness/${VERSION}`,
    abandon: signals.abandon,
    now: clock.now,
  })
  job.onClose(async () => client.close())
  const rules = {
    // A question that is sent alone in a fresh conversation is another question.
    ...turnRulesOf({ rotatingIds: options.rotatingIds, onAmbiguous: 'fail' }),
    runId: '',
    giveUpAfterMs: options.giveUpAfter,
  }
  return {
    send: async (thread, record, { calls: attemptsBefore, maxCalls }) => {
      const wire = { send: client.send, record, limiter, clock }
      const stop = AbortSignal.any([signals.stop, own.signal])
      const sending = runThreads([thread], wire, { ...rules, attemptsBefore, maxCalls }, stop)
      return own.reasonFor(await unlessStalled('asking', sending).catch(stopOfError), signals.stop)
    },
  }
}
