// What cannot be done with a load test, said in a sentence.
import type { Manifest } from '../../domain/manifest.ts'
import { UsageError } from '../../library/usage-error.ts'

/** `why`: what cannot be done, as the end of a sentence. Throws UsageError where the folder holds a load test. */
export function refuseLoadTest(
  { load, findLimit }: Pick<Manifest, 'load' | 'findLimit'>,
  path: string,
  why: string,
): void {
  if (findLimit !== undefined)
    throw new UsageError(
      `${path} holds a search for the organization's limit (load --find-limit), which is no run; report ${path} writes its reports again`,
    )
  if (load !== null) throw new UsageError(`${path} holds a load test: ${why}`)
}
