// What the processes of an organization say to each other: members to their conductor, and the conductor to them.
import * as z from 'zod'
import { inferredLimitSchema } from '../../domain/limit.ts'

/** Missing from JSON is undefined here. */
const perhaps = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)
const maybeNumber = perhaps(z.number())
const count = z.int().nonnegative()

/** What a process was told by its user; the strictest of all members holds for the organization. */
const rulesSchema = z.object({
  /** Calls a second that are known to be allowed. */
  perSecond: maybeNumber,
  /** Calls in flight at most. */
  concurrency: maybeNumber,
  share: z.number(),
})
export type Rules = z.output<typeof rulesSchema>

const hintsSchema = z.object({
  namedMs: maybeNumber,
  resetMs: maybeNumber,
  policyPerSecond: maybeNumber,
  concurrent: maybeNumber,
})
const hints = { hints: hintsSchema }

const observationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted'), lateMs: maybeNumber, ...hints }),
  z.object({ kind: z.literal('rateLimited'), namedMs: maybeNumber, ...hints }),
  z.object({ kind: z.literal('failed'), reached: z.boolean(), cause: z.string(), namedMs: maybeNumber }),
  z.object({ kind: z.literal('nothing') }),
])

/** What every message of a member tells: it lives, and how many of its calls wait. */
const member = {
  from: z.string(),
  /** Whom it takes for its conductor. */
  term: z.string(),
  /** Its messages are numbered: a grant says to which it is the answer, so that a late one is known as such. */
  number: count,
  waiting: count,
  /** The last grant of this term that it received. */
  seen: count,
}

export const toConductorSchema = z.discriminatedUnion('kind', [
  /** `held`: permits under way, of whatever term. */
  z.object({ kind: z.literal('beat'), ...member, held: z.array(z.string()), rules: rulesSchema }),
  z.object({ kind: z.literal('want'), ...member }),
  z.object({ kind: z.literal('report'), ...member, permit: z.string(), observation: observationSchema }),
  z.object({ kind: z.literal('leave'), from: z.string() }),
])
export type ToConductor = z.output<typeof toConductorSchema>

const learnedSchema = z.object({
  pace: z.number(),
  capacity: maybeNumber,
  sustained: maybeNumber,
  memoryMs: z.number(),
  atOnce: maybeNumber,
  recent: perhaps(z.object({ calls: count, ms: z.number() })),
  met: perhaps(z.object({ episodes: count, refusals: count })),
})

/** What was learned of the limit, so long before it was told. */
const nightSchema = z.object({ learned: learnedSchema, ageMs: z.number() })
export type Night = z.output<typeof nightSchema>

const grantSchema = z.object({
  kind: z.literal('grant'),
  term: z.string(),
  permit: z.string(),
  /** Grants to one member in one term are numbered from 1. */
  sequence: count,
  answers: count,
})
export type Grant = z.output<typeof grantSchema>

export const statusSchema = z.object({
  kind: z.literal('status'),
  term: z.string(),
  /** Calls a second. */
  pace: z.number(),
  /** No clock is another's: milliseconds since it closed, and until it opens. */
  closure: perhaps(z.object({ sinceMs: z.number(), forMs: z.number() })),
  processes: count,
  concurrency: count,
  learned: perhaps(learnedSchema),
  night: perhaps(nightSchema),
  limit: perhaps(inferredLimitSchema),
  /** Why this is told now; undefined for the regular one. */
  cause: perhaps(z.string()),
  /** How this conductor began. */
  begun: z.string(),
})
export type Status = z.output<typeof statusSchema>

/** `vacant`: the conductor has left office; who comes first is the next. */
export const toMemberSchema = z.discriminatedUnion('kind', [
  grantSchema,
  statusSchema,
  z.object({ kind: z.literal('vacant') }),
])

/** Undefined for what is no message of ours: another version's, or somebody else's. */
export function parseMessage<T extends z.ZodType>(schema: T, text: string): z.output<T> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
