// What the routes share: what they serve, how a request is checked, and how it is answered.
import type { Context, TypedResponse } from 'hono'
import * as z from 'zod'
import type * as library from '../library/index.ts'
import type { Watch } from './watch.ts'
import type { Work } from './work.ts'

export interface Served {
  readonly folder: string
  readonly isReadOnly: boolean
  readonly work: Work
  readonly watch: Watch
  readonly ports: library.Ports
}

export const text = z.string().max(100_000)
export const texts = z.array(text).readonly()

/** Checks a part of a request, without the secrets that it may repeat. */
export function checking<Shape extends z.ZodRawShape>(shape: Shape, { secrets }: library.Ports) {
  const schema = z.object(shape)
  return (value: unknown): z.infer<typeof schema> =>
    schema.parse(JSON.parse(secrets.mask(JSON.stringify(value))))
}

/** The client gets the type as it is; `hideSecrets` looks at what is sent. */
export const answer = <T extends object>(context: Context, value: T) =>
  context.json(value) as unknown as Response & TypedResponse<T, 200, 'json'>

export const DOWNLOADS = [
  'report.html',
  'results.xlsx',
  'results.csv',
  'reviews.csv',
  'comparison.csv',
  'junit.xml',
]
