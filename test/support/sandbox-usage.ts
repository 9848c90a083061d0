// What the sandbox itself knows of the calls that it got, for tests that hold a run's account against it.
import type { RunningSandbox } from '../../src/sandbox/server.ts'

export interface Usage {
  readonly calls: number
  readonly counted: number
  readonly outcomes: Record<string, number>
}

export interface SandboxCall {
  readonly at: string
  readonly keyFingerprint: string
  readonly conversationId: string | null
  readonly endUserRef: string | null
  readonly outcome: string
  readonly counted: boolean
}

type Address = Pick<RunningSandbox, 'url' | 'adminKey'>

/** `path` behind `/sandbox/`. */
export async function askSandbox({ url, adminKey }: Address, path: string): Promise<unknown> {
  const response = await fetch(`${url}/sandbox/${path}`, { headers: { authorization: `Bearer ${adminKey}` } })
  return response.json()
}

export const usageOf = async (sandbox: Address): Promise<Usage> =>
  ((await askSandbox(sandbox, 'usage')) as { total: Usage }).total

/** Each of them, in the order in which they came. */
export const callsOf = async (sandbox: Address): Promise<SandboxCall[]> =>
  ((await askSandbox(sandbox, 'usage?detail=calls')) as { calls: SandboxCall[] }).calls
