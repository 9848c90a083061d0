// What is proved, line by line: the settings of the simulated runs, and what to count of them.
import type { Drop } from './drop.ts'
import type { Simulation } from './simulate.ts'

export type Line = { readonly name: string; readonly setting: Omit<Simulation, 'seed' | 'drop'> } & (
  | { readonly kind: 'same' }
  | { readonly kind: 'level' }
  | {
      readonly kind: 'power'
      /** The share that is lost; undefined: just what the gate states that it sees with 80 % power. */
      readonly share?: number
      readonly of: Drop['of']
      readonly by: Drop['by']
      readonly margin?: number
    }
)

const SIZES = [150, 300, 900]
/** Most threads of one turn, and one in 700 of thirty. */
const SKEWED = Array.from({ length: 30 }, (_, place) => (place + 1) ** -2)

const LIKE: Readonly<Record<string, Omit<Line['setting'], 'questions'>>> = {
  'threads of 1 to 5 turns': {},
  'one turn a thread': { threadSizes: [1] },
  'threads of 1 to 30 turns': { threadSizes: SKEWED },
  '3 repeats': { repeats: 3 },
}

export const SAME: readonly Line[] = SIZES.flatMap((questions) =>
  Object.entries(LIKE).map(([name, setting]): Line => ({
    kind: 'same',
    name,
    setting: { ...setting, questions },
  })),
)

const KINDS = [
  { of: 'grounding', by: 'question' },
  { of: 'grounding', by: 'thread' },
  { of: 'verdicts', by: 'question' },
  { of: 'verdicts', by: 'thread' },
] as const
const lossName = ({ of, by }: Pick<Drop, 'of' | 'by'>): string => `${of} by ${by}s`

export const STATED: readonly Line[] = SIZES.flatMap((questions): Line[] => [
  ...KINDS.map((kind): Line => ({ kind: 'power', name: lossName(kind), setting: { questions }, ...kind })),
  {
    kind: 'power',
    name: 'grounding by threads, 3 repeats',
    setting: { questions, repeats: 3 },
    of: 'grounding',
    by: 'thread',
  },
])

/** Each pair for itself: here what is stated should be just what is seen. */
export const STATED_SINGLE: readonly Line[] = SIZES.map((questions) => ({
  kind: 'power',
  name: 'grounding, one turn a thread',
  setting: { questions, threadSizes: [1] },
  of: 'grounding',
  by: 'question',
}))

export const PLANTED: readonly Line[] = SIZES.flatMap((questions) =>
  [0.03, 0.05, 0.1].flatMap((share): Line[] => [
    ...(['question', 'thread'] as const).map((by): Line => ({
      kind: 'power',
      name: `grounding by ${by}s`,
      setting: { questions },
      share,
      of: 'grounding',
      by,
    })),
    ...(share === 0.05
      ? [
          {
            kind: 'power' as const,
            name: 'grounding by threads, margin 0',
            setting: { questions },
            share,
            of: 'grounding' as const,
            by: 'thread' as const,
            margin: 0,
          },
        ]
      : []),
  ]),
)

const NOISES: Readonly<Record<string, Omit<Line['setting'], 'questions'>>> = {
  'a tenth of the questions unsure': {},
  'four tenths unsure': { unsure: 0.4 },
  '3 repeats': { repeats: 3 },
  '7 repeats': { repeats: 7 },
}

/** Threads of one to five turns have 1.74 on average. */
export const LEVELS: readonly Line[] = [30, 100, 300].flatMap((threads) =>
  Object.entries(NOISES).map(([noise, setting]): Line => ({
    kind: 'level',
    name: `${threads} threads, ${noise}`,
    setting: { ...setting, questions: Math.round(1.74 * threads) },
  })),
)
