// Copies of recorded cases, and the reports that the library writes into them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compare } from '../../src/library/compare.ts'
import { report } from '../../src/library/report.ts'
import { recordedFolder } from './cases.ts'
import { unpackRecorded } from './run-case.ts'

/** Returns the folder of the copy, in `scratch`. */
export function copyRecorded(name: string, scratch: string): string {
  const folder = join(scratch, name)
  unpackRecorded(join(recordedFolder, name), folder)
  return folder
}

export async function reportRecorded(name: string, scratch: string) {
  const folder = copyRecorded(name, scratch)
  const [run, own] = [join(folder, 'run'), join(folder, 'own.csv')]
  const { document } = await report({ run, articles: existsSync(own) ? own : undefined })
  return { document, page: join(run, 'report.html') }
}

export async function compareRecorded(name: string, scratch: string) {
  const at = (part: string): string => join(scratch, name, part)
  copyRecorded(name, scratch)
  const { document } = await compare({
    baseline: at('baseline'),
    candidate: at('candidate'),
    out: at('out'),
  })
  return { document, page: at('out/report.html') }
}
