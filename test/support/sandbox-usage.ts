// The sandbox's own usage ledger, for tests that compare a run's account with it.
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

/** The answer of the sandbox to an admin call. `path`: what follows `/sandbox/`. */
export async function fetchSandbox({ url, adminKey }: Address, path: string): Promise<string> {
  const response = await fetch(`${url}/sandbox/${path}`, { headers: { authorization: `Bearer ${adminKey}` } })
  return response.text()
}

export const usageOf = async (sandbox: Address): Promise<Usage> =>
  (JSON.parse(await fetchSandbox(sandbox, 'usage')) as { total: Usage }).total

export const callsOf = async (sandbox: Address): Promise<SandboxCall[]> =>
  (JSON.parse(await fetchSandbox(sandbox, 'usage?detail=calls')) as { calls: SandboxCall[] }).calls
