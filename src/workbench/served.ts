// What every address of the workbench works with.
import type { Ports } from '../library/index.ts'
import type { Watch } from './watch.ts'
import type { Work } from './work.ts'

export interface Served {
  readonly folder: string
  readonly isReadOnly: boolean
  readonly work: Work
  readonly watch: Watch
  readonly ports: Ports
}
