// The port for sending and a promise: one made of the other.
import type { AssistRequest, AttemptReport } from '../../src/domain/attempt.ts'
import type { AttemptPorts } from '../../src/runner/attempt.ts'

type Ask = (request: AssistRequest, signal: AbortSignal) => Promise<AttemptReport>

export const sendBy =
  (ask: Ask): AttemptPorts['send'] =>
  (request, signal, { ended, failed }) =>
    void ask(request, signal).then(ended, failed)

export const askBy =
  (send: AttemptPorts['send']): Ask =>
  async (request, signal) =>
    new Promise((resolve, reject) => {
      send(request, signal, { ended: resolve, failed: reject })
    })
