// An endpoint for one test, closed after it, and answers that it holds back.
import { afterEach } from 'vitest'
import {
  answerJson,
  goodReply,
  startEndpoint,
  type Behaviour,
  type ReceivedCall,
  type TestEndpoint,
} from './endpoint.ts'

const open: TestEndpoint[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(async (endpoint) => endpoint.close()))
})

/** Closed after the test. */
export async function openEndpoint(behave?: Behaviour): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(behave)
  open.push(endpoint)
  return endpoint
}

/** For tests that run side by side: closed once `use` has ended. */
export async function withEndpoint<T>(
  behave: Behaviour | undefined,
  use: (endpoint: TestEndpoint) => Promise<T>,
): Promise<T> {
  const endpoint = await startEndpoint(behave)
  try {
    return await use(endpoint)
  } finally {
    await endpoint.close()
  }
}

export interface HeldAnswers {
  /** Answers well, but not before the release. */
  readonly hold: (call: ReceivedCall) => true
  readonly release: () => void
}

/** Calls that are in flight until the test lets them go, however slow or quick the machine is. */
export function holdAnswers(): HeldAnswers {
  let held: (() => void)[] | undefined = []
  return {
    hold: (call) => {
      const answer = (): void => void answerJson(call, 200, goodReply(call))
      if (held === undefined) answer()
      else held.push(answer)
      return true
    },
    release: () => {
      for (const answer of held ?? []) answer()
      held = undefined
    },
  }
}
