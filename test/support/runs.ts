// What tests of whole runs have in common: the key, and the words that ask a set of a test's endpoint.
import type { TestEndpoint } from './endpoint.ts'

/** The environment of a run: the key, and nothing else. */
export const KEY_ENV = { ASSIST_API_KEY: 'test-key-0123456789' }

/** One call at a time, as fast as answers come, so that the order of the calls is known. */
export const runWords = (
  set: string,
  { url }: Pick<TestEndpoint, 'url'>,
  out: string,
  ...more: readonly string[]
): string[] => {
  const pace = ['--rate', 'unlimited', ...(more.includes('--concurrency') ? [] : ['--concurrency', '1'])]
  return ['run', set, '--base-url', url, ...pace, '--out', out, ...more]
}
