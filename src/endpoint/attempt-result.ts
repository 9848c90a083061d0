// What came of an exchange as a result, with the key hidden, wherever the endpoint echoes it.
import type { AttemptReport, AttemptResult } from '../domain/attempt.ts'
import { isWithout, maskText, maskValue, type Secret } from '../domain/secret.ts'
import { MAX_BODY_BYTES, type Ending, type Exchanged } from './exchange.ts'
import { describeBreak, describeFailure, failureCode } from './failure.ts'
import { readHeaders } from './headers.ts'
import { interpretAnswer, malformedAnswer, type Headers } from './reply.ts'
import { isPacked, unpack } from './unpack.ts'

/** At once where the body came unpacked, as it was asked for. Never throws or rejects. */
export function reportOf(
  exchanged: Exchanged,
  ending: Ending,
  key: Secret,
): AttemptReport | Promise<AttemptReport> {
  const { sentAt, endedAt } = exchanged
  const result = understand(exchanged, ending, key)
  if (result instanceof Promise) return result.then((one) => ({ sentAt, endedAt, result: one }))
  return { sentAt, endedAt, result }
}

function understand(
  exchanged: Exchanged,
  ending: Ending,
  key: Secret,
): AttemptResult | Promise<AttemptResult> {
  const { answer, sent } = exchanged
  if (ending.kind === 'abandoned') return { kind: 'abandoned', sent }
  if (answer === undefined) return hidden(unanswered(exchanged, ending), key)
  const { httpStatus, rawHeaders } = answer
  const { headers, encoding } = readHeaders(httpStatus, rawHeaders)
  const isSuccess = httpStatus >= 200 && httpStatus <= 299
  if (ending.kind === 'whole')
    return isPacked(encoding)
      ? ofPacked(httpStatus, headers, exchanged.body, encoding, key)
      : ofText(httpStatus, headers, exchanged.body.toString('utf8'), key)
  // Outside 2xx the status alone decides, however the body ended.
  if (!isSuccess) return ofText(httpStatus, headers, exchanged.body.toString('utf8'), key)
  if (ending.kind !== 'oversize')
    return hidden({ ...unanswered(exchanged, ending), httpStatus, headers }, key)
  return malformed(httpStatus, headers, TOO_LARGE, exchanged.body.subarray(0, 4096).toString('utf8'), key)
}

/** Hidden twice: in the text, so that no excerpt cuts through the key, and in the values, whatever their escapes. */
function ofText(httpStatus: number, headers: Headers, text: string, key: Secret): AttemptResult {
  // Most answers do not hold it: one look at them is enough then.
  if (isWithout(text, key) && Object.values(headers).every((value) => isWithout(value, key)))
    return interpretAnswer(httpStatus, headers, text)
  return hidden(interpretAnswer(httpStatus, headers, maskText(text, key)), key)
}

async function ofPacked(
  httpStatus: number,
  headers: Headers,
  body: Buffer,
  encoding: string,
  key: Secret,
): Promise<AttemptResult> {
  const unpacked = await unpack(body, encoding)
  if (Buffer.isBuffer(unpacked)) return ofText(httpStatus, headers, unpacked.toString('utf8'), key)
  if (httpStatus < 200 || httpStatus > 299) return ofText(httpStatus, headers, '', key)
  const reason = unpacked === 'oversize' ? TOO_LARGE : `the body is not what its content-encoding says`
  return malformed(httpStatus, headers, reason, '', key)
}

const TOO_LARGE = `the body is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`

const hidden = (result: AttemptResult, key: Secret): AttemptResult => maskValue(result, key) as AttemptResult

const malformed = (
  httpStatus: number,
  headers: Headers,
  reason: string,
  text: string,
  key: Secret,
): AttemptResult => hidden(malformedAnswer(httpStatus, headers, reason, maskText(text, key)), key)

type Unanswered = Extract<AttemptResult, { kind: 'timeout' | 'network' }>

function unanswered({ sent, sentAt, endedAt, answer, body }: Exchanged, ending: Ending): Unanswered {
  if (ending.kind === 'failure') {
    const { error } = ending
    const message = sent ? describeBreak(error, answer && body.length) : describeFailure(error)
    return { kind: 'network', sent, code: failureCode(error), message }
  }
  if (ending.kind !== 'deadline')
    return { kind: 'network', sent, code: 'NO_ANSWER', message: 'no answer came' }
  const seconds = ((endedAt - sentAt) / 1000).toFixed(1)
  const message =
    answer === undefined ? `no answer after ${seconds} s` : `answer not whole after ${seconds} s`
  return { kind: 'timeout', message }
}
