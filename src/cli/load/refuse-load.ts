// What cannot be done with a load test, said in a sentence.
import type { Manifest } from '../../domain/manifest.ts'
import { UsageError } from '../usage-error.ts'

/** `why`: what cannot be done, as the end of a sentence. Throws UsageError where the folder holds a load test. */
export function refuseLoadTest({ load }: Pick<Manifest, 'load'>, path: string, why: string): void {
  if (load !== null) throw new UsageError(`${path} holds a load test: ${why}`)
}
